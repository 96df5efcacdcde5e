"""Every number that a lesson states in its prose, computed anew and looked for in the text."""

from pathlib import Path

import pytest

import rooflib as rl

TEXTS = Path(__file__).parent.parent / "notebooks" / "text"
V5E, H100, H200 = rl.chip("TPU v5e"), rl.chip("H100"), rl.chip("H200")


def layer(B, D, chip=V5E, **formats):
    return rl.estimate(rl.matmul(B, D, D, **formats), chip)


def pair(B, D, F):
    return rl.shard(rl.matmul(B, D, F), "D")


def link_threshold(chip, link):
    return 2 * rl.chip(chip).ridge("bf16", link)


def pays_from(B, overlap=1.0):
    return rl.break_even(
        lambda D: rl.matmul(B, D, 8192), lambda D: pair(B, D, 8192), V5E, overlap=overlap
    )


DOT = rl.estimate(rl.dot(10**9), V5E)
PAPER_1 = layer(64, 4096, H200)
PAPER_4 = rl.estimate(rl.shard(rl.matmul(2048, 4096, 8192), "D", link="nvlink"), H100)
TWO = rl.estimate(pair(1024, 8192, 8192), V5E)
H100_CRITICAL = rl.critical(lambda B: rl.matmul(B, 4096, 4096), H100)

STATED = {
    "00_start": [],
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
    "03_matmul": [
        ("that is {:.3f}% less", 100 * (1 - rl.matmul(1, 4096, 1).ops_exact / rl.matmul(1, 4096, 1).ops)),
        ("the ridge, {:.0f},", V5E.ridge()),
        ("when it is above {:.0f}.", H100.ridge()),
        ("and it is {:.0f}%.", layer(240, 1024).utilisation * 100),
        ("the intensity is {:.0f}, 6% below", rl.matmul(240, 8000, 8000).intensity()),
        ("{:.0f}% below; at", 100 * (1 - rl.matmul(240, 8000, 8000).intensity() / 240)),
        ("it is {:.0f}, and that", rl.matmul(1024, 8000, 8000).intensity()),
        ("and that is {:.0f}% below", 100 * (1 - rl.matmul(1024, 8000, 8000).intensity() / 1024)),
        ("against 240 is the last one, {:.0f},", 512 * 4096 / (2048 / 8)),
        ("not the {:.0f} per GPU", 512 * 4096 / 2048),
        ("from B = {:.0f} on", rl.critical(lambda B: rl.matmul(B, 8192, 8192), V5E)),
        ("1/{:.1f} − 2/4096", H100.ridge()),
        ("= {:.6f}, so B*", 1 / H100.ridge() - 2 / 4096),
        ("so B* = {:.0f}", H100_CRITICAL),
        ("the intensity is {:.0f}, 87%", rl.matmul(295, 4096, 4096).intensity()),
        ("so {:.0f}% of the peak", layer(295, 4096, H100).utilisation * 100),
    ],
    "04_network": [
        ("We write {:.1f} and", V5E.ridge(link="ici")),
        ("and {:.1f}.", link_threshold("TPU v5e", "ici")),
        ("still {:.2f} times as fast", layer(1024, 8192).lower / TWO.lower),
        ("slower than one chip: {:.2f}", layer(1024, 8192).lower / TWO.at({"ici": 0})),
        ("So {:.1f} has two meanings", pays_from(1024, {"ici": 0})),
        ("Much earlier, at {:,.0f}.", pays_from(128)),
        ("under about {:.0f} kB", V5E.bandwidth("ici") * V5E.link("ici").latency / 1e3),
        ("= {:.1f} GFLOP in", PAPER_4.work.ops / 1e9),
        ("GFLOP in {:.1f} µs", PAPER_4.math * 1e6),
        ("{:.1f} MB in", PAPER_4.work.bytes["nvlink"] / 1e6),
        ("MB in {:.1f} µs", PAPER_4.comms["nvlink"] * 1e6),
        ("just below {:.0f}", link_threshold("H100", "nvlink")),
    ],
    "04b_tiles": [
        ("its intensity is {:.1f}", rl.tile(rl.matmul(4096, 4096, 4096), 512, 128, 512).intensity()),
        ("the ridge is {:.1f}", V5E.ridge()),
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
