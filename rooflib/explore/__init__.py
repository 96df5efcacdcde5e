"""Pictures to drag. Each function gives an Explorer, which shows itself as a cell's last line.

>>> from rooflib import explore
>>> explorer = explore.clock()
>>> explorer.locked          # it asks for a prediction first
True
"""

from rooflib.explore.clock import clock
from rooflib.explore.explorer import Explorer
from rooflib.explore.overlap import overlap
from rooflib.explore.predict import predict
from rooflib.explore.quantisation import quantisation
from rooflib.explore.race import race
from rooflib.explore.resistances import resistances
from rooflib.explore.roofline import roofline
from rooflib.explore.tiles import tiles

__all__ = [
    "Explorer",
    "clock",
    "overlap",
    "predict",
    "quantisation",
    "race",
    "resistances",
    "roofline",
    "tiles",
]
