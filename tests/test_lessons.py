"""Every number that a lesson states in its prose, computed anew and looked for in the text."""

from pathlib import Path

import pytest

import rooflib as rl

TEXTS = Path(__file__).parent.parent / "notebooks" / "text"


def us(B, D, chip="TPU v5e"):
    return rl.estimate(rl.matmul(B, D, D), chip)


H200_TASK = rl.matmul(64, 4096, 4096)

STATED = {
    "01_time": [
        ("One token takes {:.1f} µs", us(1, 8192).lower * 1e6),
        (
            "240 times the work for {:.1f}% more time",
            (us(240, 8192).lower / us(1, 8192).lower - 1) * 100,
        ),
        ("{:.0f} MB of it", rl.matmul(240, 8192, 8192).one.operands[1].bytes / 1e6),
        ("and that takes {:.1f} µs", 2 * 8192 * 8192 / 8.2e11 * 1e6),
        ("at B = 1, a factor of {:.3f}", us(1, 8192).upper / us(1, 8192).lower),
        ("at about {:.0f}, and", rl.critical(lambda B: rl.matmul(B, 8192, 8192), "TPU v5e")),
        ("it could do {:.0f} operations", rl.chip("TPU v5e").ridge()),
        ("The bytes take {:.2f} ms", rl.estimate(rl.dot(10**9), "TPU v5e").comms["hbm"] * 1e3),
        ("vector unit needs {:.2f} ms", rl.estimate(rl.dot(10**9), "TPU v5e").math * 1e3),
        ("which makes {:.1f}.", rl.chip("TPU v5p").ridge("fp32", unit="vector")),
        ("about {:.0f} times as fast as HBM", rl.chip("TPU v5e").bandwidth("vmem") / 8.2e11),
        ("need a batch of {:.0f} instead", rl.chip("TPU v5e").ridge(link="vmem")),
        ("H100 and\n{:.1e} on a TPU v6e", rl.chip("TPU v6e").bandwidth()),
        ("road does {:.2e} bytes a second on an H100", rl.chip("H100").bandwidth()),
        ("does {:.2e} FLOP/s in bf16", rl.chip("H200").peak("bf16")),
        ("= {:.2f} GFLOP", H200_TASK.ops / 1e9),
        ("which take {:.2f} µs. 2", us(64, 4096, "H200").math * 1e6),
        ("{:.1f} MB, which take", H200_TASK.bytes["hbm"] / 1e6),
        ("MB, which take {:.2f} µs", us(64, 4096, "H200").comms["hbm"] * 1e6),
        ("and {:.2f} µs, and HBM binds", us(64, 4096, "H200").upper * 1e6),
        ("bytes take {:.1f} times", us(64, 4096, "H200").comms["hbm"] / us(64, 4096, "H200").math),
    ],
}


@pytest.mark.parametrize(
    "lesson, sentence, number",
    [(lesson, *row) for lesson, rows in STATED.items() for row in rows],
)
def test_the_prose_states_what_rooflib_computes(lesson, sentence, number):
    text = (TEXTS / f"{lesson}.md").read_text(encoding="utf-8")
    said = sentence.format(number).replace("e+12", "e12").replace("e+14", "e14")
    assert said.replace("\n", " ") in text.replace("\n", " "), said


def test_every_lesson_has_its_table():
    assert {path.stem for path in TEXTS.glob("*.md")} == set(STATED)
