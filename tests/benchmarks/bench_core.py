"""The core against the least that it could cost, side by side in one run.

    uv run python tests/benchmarks/bench_core.py

- `import rooflib` against `import numpy`, in fresh processes.
- A million batch sizes through matmul, shard and tile, each with estimate, against the same
  arithmetic by hand.
"""

import statistics
import subprocess
import sys
import time

import numpy as np

import rooflib as rl


def seconds(call, *args):
    start = time.perf_counter()
    call(*args)
    return time.perf_counter() - start


def fresh_import(module):
    """Seconds that the import itself takes, in a fresh process."""
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(run.stdout)


D = F = 4096


def matmul_by_hand(B):
    ops = 2 * B * D * F
    moved = 2 * (B * D + D * F + B * F)
    math, hbm = ops / 1.97e14, moved / 8.2e11
    return np.maximum(math, hbm), math + hbm


def shard_by_hand(B):
    ops = 2 * B * (D / 2) * F
    moved = 2 * (B * (D / 2) + (D / 2) * F + B * F)
    sent = 2 * B * F
    math, hbm, ici = ops / 1.97e14, moved / 8.2e11, np.maximum(sent / 4.5e10, 1e-6)
    return np.maximum(np.maximum(math, hbm), ici), math + hbm + ici


def tile_by_hand(B):
    ops = 2 * B * D * F
    moved = 2 * (B * D * -(-F // 512) + D * F * np.ceil(B / 512) + B * F)
    math, hbm = ops / 1.97e14, moved / 8.2e11
    return np.maximum(math, hbm), math + hbm


def times(work):
    found = rl.estimate(work, "TPU v5e")
    return found.lower, found.upper


SWEEPS = [
    ("matmul", 3, matmul_by_hand, lambda B: times(rl.matmul(B, D, F))),
    ("shard", 4, shard_by_hand, lambda B: times(rl.shard(rl.matmul(B, D, F), "D"))),
    ("tile", 4, tile_by_hand, lambda B: times(rl.tile(rl.matmul(B, D, F), 512, 128, 512))),
]


def main():
    pairs = [(fresh_import("rooflib"), fresh_import("numpy")) for _repeat in range(15)]
    extra = statistics.median(ours - numpys for ours, numpys in pairs)
    print(f"import rooflib adds {extra * 1e3:.0f} ms to import numpy (at most 30)")

    B = np.linspace(1, 1e6, 1_000_000)
    for name, at_most, by_hand, ours in SWEEPS:
        assert np.allclose(by_hand(B), ours(B))
        pairs = [(seconds(ours, B), seconds(by_hand, B)) for _ in range(21)]
        mine, hand = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        print(
            f"a million sizes through {name}: {mine * 1e3:.0f} ms, by hand {hand * 1e3:.0f} ms: "
            f"{ratio:.2f}x (at most {at_most})"
        )


if __name__ == "__main__":
    main()
