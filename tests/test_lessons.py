"""Every number that a lesson states in its prose, computed anew and looked for in the text."""

from pathlib import Path

import pytest

import rooflib as rl

TEXTS = Path(__file__).parent.parent / "notebooks" / "text"
V5E, H100, H200 = rl.chip("TPU v5e"), rl.chip("H100"), rl.chip("H200")


def layer(B, D, chip=V5E, **formats):
    return rl.estimate(rl.matmul(B, D, D, **formats), chip)


DOT = rl.estimate(rl.dot(10**9), V5E)
PAPER_1 = layer(64, 4096, H200)

STATED = {
    "01_time": [
        ("One token takes {:.1f} µs", layer(1, 8192).lower * 1e6),
        ("240 times the work for {:.1f}% more time", (layer(240, 8192).lower / layer(1, 8192).lower - 1) * 100),
        ("{:.0f} MB of it", rl.matmul(240, 8192, 8192).one.operands[1].bytes / 1e6),
        ("and that takes {:.1f} µs", 2 * 8192 * 8192 / 8.2e11 * 1e6),
        ("at B = 1, a factor of {:.3f}", layer(1, 8192).upper / layer(1, 8192).lower),
        ("at about {:.0f}, and next", rl.critical(lambda B: rl.matmul(B, 8192, 8192), V5E)),
        ("it could do {:.0f} operations", V5E.ridge()),
        ("The bytes take {:.2f} ms", DOT.comms["hbm"] * 1e3),
        ("vector unit needs {:.2f} ms", DOT.math * 1e3),
        ("which makes {:.1f}.", rl.chip("TPU v5p").ridge("fp32", unit="vector")),
        ("about {:.0f} times as fast as HBM", V5E.bandwidth("vmem") / V5E.bandwidth("hbm")),
        ("need a batch of {:.0f} instead", V5E.ridge(link="vmem")),
        ("H100 and {:.1e} on a TPU v6e", rl.chip("TPU v6e").bandwidth()),
        ("road does {:.2e} bytes a second on an H100", H100.bandwidth()),
        ("does {:.2e} FLOP/s in bf16", H200.peak("bf16")),
        ("= {:.2f} GFLOP", PAPER_1.work.ops / 1e9),
        ("which take {:.2f} µs. 2", PAPER_1.math * 1e6),
        ("{:.1f} MB, which take", PAPER_1.work.bytes["hbm"] / 1e6),
        ("MB, which take {:.2f} µs", PAPER_1.comms["hbm"] * 1e6),
        ("and {:.2f} µs, and HBM binds", PAPER_1.upper * 1e6),
        ("bytes take {:.1f} times", PAPER_1.comms["hbm"] / PAPER_1.math),
    ],
    "02_roofline": [
        ("with {:.0f}% more bandwidth", (H200.bandwidth() / H100.bandwidth() - 1) * 100),
        ("goes down, from {:.0f} to", H100.ridge()),
        ("to {:.0f}. A chip", H200.ridge()),
        ("{:.0f} sounds like a scandal", V5E.peak("bf16") / DOT.attained),
        ("honest distance is {:.0f}", V5E.peak("fp32", "vector") / DOT.attained),
        ("{:.2e} FLOP/s, 8.2e11", V5E.peak("bf16")),
        ("on the slope at {:.1e} FLOP/s", 64 * V5E.bandwidth()),
        ("{:.0f}% of the peak: 64", 64 / V5E.ridge() * 100),
    ],
}  # fmt: skip


def flat(text):
    return " ".join(text.replace("\n> ", " ").split())


@pytest.mark.parametrize(
    "lesson, sentence, number",
    [(lesson, *row) for lesson, rows in STATED.items() for row in rows],
)
def test_the_prose_states_what_rooflib_computes(lesson, sentence, number):
    said = sentence.format(number).replace("e+", "e")
    assert said in flat((TEXTS / f"{lesson}.md").read_text(encoding="utf-8")), said


def test_every_lesson_has_its_table():
    assert {path.stem for path in TEXTS.glob("*.md")} == set(STATED)
