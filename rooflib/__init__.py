"""rooflib: how long must a computation take?

Count operations and bytes, divide by what the chip can do, take the larger:

>>> import rooflib as rl
>>> t = rl.estimate(rl.matmul(256, 8192, 8192), "TPU v5e")
>>> t.bound, round(t.lower * 1e6, 1), round(t.upper * 1e6, 1)
('compute', 87.2, 174.2)
"""

from rooflib.chips import Chip, chip, chips
from rooflib.operations import dot, einsum, matmul
from rooflib.roofline import Critical, Times, critical, estimate
from rooflib.symbolic import limit, symbols
from rooflib.work import Work

__all__ = [
    "Chip",
    "Critical",
    "Times",
    "Work",
    "chip",
    "chips",
    "critical",
    "dot",
    "einsum",
    "estimate",
    "limit",
    "matmul",
    "symbols",
]
