"""The core against the least that it could cost, side by side in one run.

    uv run python tests/benchmarks/bench_core.py

- `import rooflib` against `import numpy`, in fresh processes.
- A million batch sizes through matmul + estimate against the same arithmetic by hand.
"""

import statistics
import subprocess
import sys
import time

import numpy as np

import rooflib as rl


def seconds(call, repeats):
    times = []
    for _repeat in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def fresh_import(module):
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)


def by_hand(B, D, F):
    ops = 2 * B * D * F
    moved = 2 * (B * D + D * F + B * F)
    math, hbm = ops / 1.97e14, moved / 8.2e11
    return np.maximum(math, hbm), math + hbm


def with_rooflib(B, D, F):
    times = rl.estimate(rl.matmul(B, D, F), "TPU v5e")
    return times.lower, times.upper


def main():
    pairs = [
        (seconds(lambda: fresh_import("rooflib"), 1), seconds(lambda: fresh_import("numpy"), 1))
        for _repeat in range(15)
    ]
    extra = statistics.median(ours - numpys for ours, numpys in pairs)
    print(f"import rooflib adds {extra * 1e3:.0f} ms to import numpy (at most 30)")

    B = np.linspace(1, 1e6, 1_000_000)
    assert np.allclose(by_hand(B, 4096, 4096), with_rooflib(B, 4096, 4096))
    hand, ours = (seconds(lambda f=f: f(B, 4096, 4096), 21) for f in (by_hand, with_rooflib))
    print(
        f"a million sizes: {ours * 1e3:.1f} ms, by hand {hand * 1e3:.1f} ms: {ours / hand:.2f}x (at most 3)"
    )


if __name__ == "__main__":
    main()
