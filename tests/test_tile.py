"""Tiles: exact re-reads, ragged edges, the law, and what fits."""

import re

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import rooflib as rl

V5E = rl.chip("TPU v5e")


@pytest.mark.parametrize(
    "bm, bn, share",
    [(128, 128, 0.266), (256, 256, 0.533), (128, 512, 0.426), (256, 1024, 0.85), (512, 512, 1.0)],
)
def test_share_of_the_peak_for_large_k(bm, bn, share):
    work = rl.tile(rl.matmul(8192, 2**30, 8192), bm, 128, bn)
    assert rl.estimate(work, V5E).utilisation == pytest.approx(share, abs=5e-3)


def test_512_is_only_just_enough():
    work = rl.tile(rl.matmul(4096, 4096, 4096), 512, 128, 512)
    assert work.intensity() == pytest.approx(240.94, abs=5e-3)
    assert rl.estimate(work, V5E).bound == "compute"


def test_exact_and_short_form():
    work = rl.tile(rl.matmul(1024, 2048, 512), bm=128, bk=256, bn=64)
    assert work.intensity() == pytest.approx(41.796, abs=5e-4)
    assert pytest.approx(42.667, abs=5e-4) == 128 * 64 / (128 + 64)


def test_the_law_in_symbols():
    m, k, n, bm, bk, bn = rl.symbols("m k n bm bk bn")
    smooth = rl.tile(rl.matmul(m, k, n), bm, bk, bn, ragged=False)
    assert sympy.simplify(1 / smooth.intensity() - (1 / bm + 1 / bn + 1 / k)) == 0
    assert sympy.simplify(rl.limit(smooth.intensity(), large="k") - bm * bn / (bm + bn)) == 0
    ragged = rl.tile(rl.matmul(m, k, n), bm, bk, bn).bytes["hbm"]
    at = {m: 1000, k: 300, n: 700, bm: 128, bk: 64, bn: 256}
    assert ragged.subs(at) == rl.tile(rl.matmul(1000, 300, 700), 128, 64, 256).bytes["hbm"]


def by_hand(m, k, n, bm, bk, bn):
    """Every tile of the output fetches its strips of X and Y, edge tiles as small as they are."""
    moved = 0
    for i in range(0, m, bm):
        for j in range(0, n, bn):
            rows, columns = min(bm, m - i), min(bn, n - j)
            for q in range(0, k, bk):
                depth = min(bk, k - q)
                moved += rows * depth + depth * columns
            moved += rows * columns
    return 2 * moved


small = st.integers(1, 40)


@given(small, small, small, small, small, small)
def test_ragged_edges_are_counted_exactly(m, k, n, bm, bk, bn):
    assert rl.tile(rl.matmul(m, k, n), bm, bk, bn).bytes["hbm"] == by_hand(m, k, n, bm, bk, bn)


@given(small, small, small, small, small, small)
def test_tiling_conserves_operations_and_never_saves_traffic(m, k, n, bm, bk, bn):
    whole, tiled = rl.matmul(m, k, n), rl.tile(rl.matmul(m, k, n), bm, bk, bn)
    assert tiled.ops == whole.ops
    assert tiled.bytes["hbm"] >= whole.bytes["hbm"]
    array = rl.tile(rl.matmul(np.array([m]), k, n), bm, bk, np.array([bn]))
    assert array.bytes["hbm"][0] == tiled.bytes["hbm"]
    assert rl.tile(whole, bm, 1, bn).bytes["hbm"] == tiled.bytes["hbm"]  # bk drops out


def test_a_tile_as_large_as_the_matrix_is_no_tile():
    whole = rl.matmul(100, 200, 300)
    assert rl.tile(whole, 100, 200, 300).bytes["hbm"] == whole.bytes["hbm"]
    assert rl.tile(whole, 512, 512, 512).bytes["hbm"] == whole.bytes["hbm"]


def test_precision_of_each_operand_counts():
    work = rl.tile(rl.matmul(256, 64, 256, w="int8", out="fp32"), 128, 64, 64)
    assert work.bytes["hbm"] == 2 * 256 * 64 * 4 + 1 * 64 * 256 * 2 + 4 * 256 * 256


def test_double_both_sides_and_the_reads_halve():
    def reads(b):
        return sum(
            o.bytes for o in rl.tile(rl.matmul(4096, 4096, 4096), b, 128, b).one.operands[:2]
        )

    assert reads(128) == 2 * reads(256)


def test_a_ragged_tile_has_intervals_instead_of_one_critical_size():
    def tiled(B):
        return rl.tile(rl.matmul(B, 8192, 8192), 512, 128, 512)

    with pytest.raises(ValueError, match=r"the time of hbm is not affine .* intervals\("):
        rl.critical(tiled, V5E)
    found = rl.intervals(tiled, V5E, high=2048)
    assert len(found) > 1
    for first, last in found:
        for size, binds in ((first, True), (last, True), (first - 1, False), (last + 1, False)):
            if 1 <= size <= 2048:
                assert (rl.estimate(tiled(size), V5E).bound == "compute") is binds


def test_intervals_agree_with_the_critical_size_where_there_is_one():
    found = rl.intervals(lambda B: rl.matmul(B, 4096, 4096), V5E, high=1000)
    assert found == [(rl.critical(lambda B: rl.matmul(B, 4096, 4096), V5E).whole, 1000)]
    assert rl.intervals(lambda B: rl.matmul(B, 480, 480), V5E) == []
    assert rl.intervals(
        lambda D: rl.matmul(1, 1, 1), rl.Chip("x", matrix={"bf16": 1}, links={"hbm": 1e9}), high=9
    ) == [(1, 9)]


def test_bytes_on_the_chip():
    work = rl.matmul(8192, 8192, 8192)
    assert rl.tile_bytes(work, 512, 128, 512) == 2 * (512 * 128 + 128 * 512) + 4 * 512 * 512
    assert (
        rl.tile_bytes(work, 512, 128, 512, buffers=2, accumulator="bf16")
        == 4 * (2 * 512 * 128) + 2 * 512 * 512
    )


def test_tiles_that_fit():
    work = rl.matmul(1000, 4096, 700)
    tiles = rl.fitting_tiles(work, "1 MiB")
    assert tiles
    for each in tiles:
        assert each.bytes == rl.tile_bytes(work, each.bm, each.bk, each.bn, buffers=2) <= 2**20
        assert each.intensity == pytest.approx(rl.tile(work, each.bm, each.bk, each.bn).intensity())
        assert each.bm % 128 == each.bn % 128 == 0
    assert [t.intensity for t in tiles] == sorted((t.intensity for t in tiles), reverse=True)
    assert rl.fitting_tiles(work, "1 kB") == []


def test_the_largest_useful_tile():
    work = rl.matmul(8192, 8192, 8192)
    best = rl.useful_tile(work, V5E)
    assert rl.estimate(rl.tile(work, best.bm, best.bk, best.bn), V5E).bound == "compute"
    smaller = [t for t in rl.fitting_tiles(work, "128 MiB") if t.bytes < best.bytes]
    assert all(rl.estimate(rl.tile(work, t.bm, t.bk, t.bn), V5E).bound == "hbm" for t in smaller)
    cramped = rl.useful_tile(work, V5E, memory="512 kB")
    assert cramped == rl.fitting_tiles(work, "512 kB")[0]


MM = rl.matmul(8, 8, 8)


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: rl.tile(MM, 0, 1, 1), ValueError, "bm must be above 0 and finite; got 0"),
        (lambda: rl.tile(MM, 1, "2", 1), TypeError, "bk must be a number"),
        (lambda: rl.tile(rl.tile(MM, 2, 2, 2), 1, 1, 1), ValueError, "this work is tiled already"),
        (lambda: rl.tile(rl.dot(8), 1, 1, 1), ValueError, "only a matmul such as 'mk,kn->mn' can be tiled; this is 'N,N->'"),
        (lambda: rl.tile(rl.einsum("bd,bdf->bf", b=1, d=1, f=1), 1, 1, 1), ValueError, "only a matmul"),
        (lambda: rl.tile(rl.matmul(np.ones(3), 4, 4), np.ones(2), 1, 1), ValueError, "B (3,), bm (2,)"),
        (lambda: rl.tile(MM + MM, 1, 1, 1), ValueError, "do each part, then add"),
        (lambda: rl.fitting_tiles(MM, "16 Mb"), ValueError, "A small b is a bit"),
        (lambda: rl.useful_tile(MM, "H100"), ValueError, "unknown link of H100 'vmem'"),
        (lambda: rl.useful_tile(MM, V5E, memory="5 B"), ValueError, "no tile fits in 5.00 B"),
        (lambda: rl.intervals(lambda B: MM, V5E, low=5, high=4), ValueError, "low must not be above high; got 5 and 4"),
    ],
)  # fmt: skip
def test_bad_input_says_what_and_what_instead(call, error, says):
    with pytest.raises(error, match=re.escape(says)):
        call()
