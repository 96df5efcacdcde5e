"""The book's pictures for any work and chip: Axes in, Axes out.

>>> import rooflib as rl
>>> from rooflib import plots
>>> ax = plots.clock(rl.matmul(240, 8192, 8192), rl.chip("TPU v5e"))

Without `ax` a picture makes its own figure through pyplot. `plt.style.use("rooflib.style")`
gives the same look to figures of your own.
"""

from rooflib.plots.bounds import bounds
from rooflib.plots.clock import clock
from rooflib.plots.race import race
from rooflib.plots.resistances import resistances, throughput
from rooflib.plots.roofline import roofline
from rooflib.plots.tiles import tiles
from rooflib.plots.times import times

__all__ = ["bounds", "clock", "race", "resistances", "roofline", "throughput", "tiles", "times"]
