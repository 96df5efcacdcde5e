"""rooflib: how long must a computation take?

Count operations and bytes, divide by what the chip can do, take the larger:

>>> import rooflib as rl
>>> t = rl.estimate(rl.matmul(256, 8192, 8192), "TPU v5e")
>>> t.bound, round(t.lower * 1e6, 1), round(t.upper * 1e6, 1)
('compute', 174.4, 348.3)
"""

from rooflib.chips import Chip, chip, chips, load
from rooflib.critical import Critical, break_even, critical, intervals
from rooflib.datasheet import from_datasheet
from rooflib.operations import dot, einsum, matmul
from rooflib.roofline import Times, estimate
from rooflib.serial import from_dict, from_json, to_dict, to_json
from rooflib.shard import shard
from rooflib.symbolic import limit, symbols
from rooflib.tile import fitting_tiles, tile, tile_bytes, useful_tile
from rooflib.work import Work

__all__ = [
    "Chip",
    "Critical",
    "Times",
    "Work",
    "break_even",
    "chip",
    "chips",
    "critical",
    "dot",
    "einsum",
    "estimate",
    "fitting_tiles",
    "from_datasheet",
    "from_dict",
    "from_json",
    "intervals",
    "limit",
    "load",
    "matmul",
    "shard",
    "symbols",
    "tile",
    "tile_bytes",
    "to_dict",
    "to_json",
    "useful_tile",
]
