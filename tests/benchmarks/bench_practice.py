"""The judge of answers: how fast, how sure, and beside sympy in the same run.

    uv run python tests/benchmarks/bench_practice.py [cases]

- The first check of a session in a fresh process, and the median check afterwards.
- The formulas of the corpus against sympy's `simplify(a - b) == 0` and `.equals`, with what they
  get wrong or leave open.
- 10,000 rewritings of right formulas (all must be right) and as many changes of one token that
  change the value (none may be right).
- Thousands of rolls of variants, each checked for fairness.
"""

import contextlib
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "practice"))
os.environ["ROOFLIB_PROGRESS"] = str(Path(tempfile.mkdtemp()) / "progress.json")

import sympy
from corpus import ROWS
from rewriting import mutated, rewritten, tree
from test_rewriting import FORMULAS, differs, outcome

from rooflib.practice import check, problems
from rooflib.practice.deal import dealt, faults
from rooflib.practice.decide import same
from rooflib.practice.question import FormulaPart
from rooflib.practice.reader import read

SYMPY_SECONDS = 2


def first_check():
    code = (
        "import time, rooflib.practice as p; t = time.perf_counter(); "
        "p.check('1c', intensity='2*B*D*F/(B*D + D*F + B*F)', limit='2*B'); "
        "print(time.perf_counter() - t)"
    )
    runs = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(5)
    ]
    return min(runs)


def each_check():
    """Seconds of each check of one formula, and of each other check, over the corpus."""
    formula, other = [], []
    for question, part, answer, _outcome, _key in ROWS:
        if callable(answer):
            continue
        is_formula = isinstance(part_of(question, part), FormulaPart)
        start = time.perf_counter()
        check(question, **{part: answer})
        (formula if is_formula else other).append(time.perf_counter() - start)
    return formula, other


def part_of(question, name):
    found = next(q for q in problems.book(question[0]).questions if q.id == question)
    return found.part(name)


def against_sympy():
    """(ours, simplify, equals) seconds a formula; and where theirs is wrong or open."""
    ours, simplify, equals, notes = [], [], [], []
    for question, name, text, _outcome, _key in ROWS:
        part = part_of(question, name)
        if not isinstance(part, FormulaPart) or not isinstance(text, str):
            continue
        try:
            left, right = in_sympy(tree(text, part), part), formula_in_sympy(part.right)
            read(text, part.letters.split(), part.names)  # without a unit at its end
        except (ValueError, ZeroDivisionError):
            continue
        start = time.perf_counter()
        value = read(text, part.letters.split(), part.names).value
        value.samples = None
        truth = same(value, part.right).same
        ours.append(time.perf_counter() - start)
        for seconds, decide, label in (
            (simplify, lambda a, b: sympy.simplify(a - b) == 0, "simplify"),
            (equals, lambda a, b: a.equals(b), "equals"),
        ):
            start = time.perf_counter()
            found = limited(decide, left, right)
            seconds.append(time.perf_counter() - start)
            if found is not truth:
                notes.append(f"{label} says {found} for {question} {name}: {text}")
    return ours, simplify, equals, notes


def limited(decide, left, right):
    def stop(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SYMPY_SECONDS)
    try:
        return decide(left, right)
    except TimeoutError:
        return "nothing within the time"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def in_sympy(node, part):
    if node.kind == "number":
        return sympy.Rational(node.value.numerator, node.value.denominator)
    if node.kind == "letter":
        if node.text in part.names:
            return formula_in_sympy(part.names[node.text])
        return sympy.Symbol(node.text, positive=True, integer=True)
    a = [in_sympy(arg, part) for arg in node.args]
    make = {
        "+": lambda: a[0] + a[1], "-": lambda: a[0] - a[1], "*": lambda: a[0] * a[1],
        "/": lambda: a[0] / a[1], "**": lambda: a[0] ** a[1], "neg": lambda: -a[0],
        "max": lambda: sympy.Max(*a), "min": lambda: sympy.Min(*a), "abs": lambda: sympy.Abs(a[0]),
    }  # fmt: skip
    return make[node.kind]()


def formula_in_sympy(formula):
    def polynomial(p):
        return sympy.Add(
            *(
                sympy.Rational(c.numerator, c.denominator)
                * sympy.Mul(*(atom(a) ** e for a, e in monomial))
                for monomial, c in p.terms.items()
            )
        )

    def atom(a):
        if isinstance(a, str):
            return sympy.Symbol(a, positive=True, integer=True)
        return sympy.Max(*(formula_in_sympy(option) for option in a.options))

    return polynomial(formula.num) / polynomial(formula.den)


def many(cases):
    """How many rewritings were not right, and how many changed formulas were."""
    chance = random.Random(20)
    lost, fooled, changed = [], [], 0
    for _ in range(cases):
        question, part, text = chance.choice(FORMULAS)
        written = rewritten(text, part, chance)
        if outcome(question, part, written) != "right":
            lost.append(written)
        other = mutated(text, part, chance)
        if other is not None and differs(part, other):
            changed += 1
            if outcome(question, part, other) == "right":
                fooled.append(other)
    return lost, fooled, changed


def variants(rolls):
    unfair = []
    for problem in problems.ORDER:
        for i in range(rolls):
            unfair += faults(dealt(problem, f"student {i}", "benchmark"))
    return unfair


def main():
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"first check of a session   {first_check() * 1e3:6.1f} ms   (at most 50)")
    formula, other = each_check()
    print(f"a formula, median          {statistics.median(formula) * 1e3:6.2f} ms   (at most 3)")
    print(f"  slowest of {len(formula):4}          {max(formula) * 1e3:6.1f} ms")
    print(f"another kind, median       {statistics.median(other) * 1e3:6.2f} ms")
    ours, simplify, equals, notes = against_sympy()
    for label, theirs in (("simplify(a-b) == 0", simplify), ("a.equals(b)", equals)):
        ratio = sum(theirs) / sum(ours)
        print(f"{label:<22} {ratio:9.0f} times as long over {len(ours)} formulas   (at least 20)")
    print(f"{len(notes)} differences from ours:")
    for note in notes[:20]:
        print("   ", note)
    start = time.perf_counter()
    lost, fooled, changed = many(cases)
    took = time.perf_counter() - start
    print(
        f"{cases} rewritings: {len(lost)} not right; {changed} changed: {len(fooled)} taken for right"
    )
    print(f"   in {took:.0f} s")
    for text in (*lost[:5], *fooled[:5]):
        print("   ", text)
    rolls = max(20, cases // 8)
    unfair = variants(rolls)
    print(f"{rolls * len(problems.ORDER)} variants: {len(unfair)} unfair")
    return bool(lost or fooled or unfair)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        sys.exit(main())
