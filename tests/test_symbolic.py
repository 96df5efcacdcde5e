import pytest
import sympy

import rooflib as rl

B, D, F = rl.symbols("B D F")


@pytest.mark.parametrize(
    "formats, slope",
    [
        ({}, 1),
        ({"w": "int8"}, 2),
        ({"w": "int4"}, 4),
        ({"dtype": "int8"}, 2),
        ({"dtype": "fp4"}, 4),
    ],
)
def test_intensity_for_small_batches_is_proportional_to_the_batch(formats, slope):
    assert rl.limit(rl.matmul(B, D, F, **formats).intensity(), small="B") == slope * B


def test_intensity_for_endless_batches():
    assert (
        sympy.simplify(rl.limit(rl.matmul(B, D, F).intensity(), large="B") - D * F / (D + F)) == 0
    )


def test_only_the_named_letter_grows():
    m, k, n, bm, bk, bn = rl.symbols("m k n bm bk bn")
    tiled = rl.tile(rl.matmul(m, k, n), bm, bk, bn, ragged=False).intensity()
    assert rl.limit(tiled, large="k") == bm * bn / (bm + bn)


def test_several_letters_may_be_named():
    assert rl.limit(rl.matmul(B, D, F).intensity(), large="D F") == B
    assert rl.limit(rl.matmul(B, D, F).intensity(), large="D, F") == B


def test_a_number_is_its_own_limit():
    assert rl.limit(2.5, small="B") == 2.5


@pytest.mark.parametrize(
    "named, says",
    [({"small": "G"}, "G is not in"), ({}, "say either small= or large="),
     ({"small": "B", "large": "D"}, "say either small= or large=")],
)  # fmt: skip
def test_letters_that_are_not_there(named, says):
    with pytest.raises(ValueError, match=says):
        rl.limit(rl.matmul(B, D, F).intensity(), **named)
