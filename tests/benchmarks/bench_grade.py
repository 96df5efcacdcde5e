"""Grading a class: how long, in how much memory, and whether anything stops it.

    uv run python tests/benchmarks/bench_grade.py [students ...]     default: 200 1000 2000

- A made-up class of that size, five problems each, as one folder the way Canvas names its files:
  seven answers in ten are right, the others known slips or blanks; problem 3 is code in every
  hand-in; one notebook in a hundred is damaged, one in five hundred loops without end.
- Peak memory is the proportional share of all processes together, sampled.
- Then the same class graded again, and with one question dropped.
- Notebooks a second: without a run (problem 1), and with one (problem 3).
- 5,000 randomly damaged notebooks, each read or reported.
"""

import contextlib
import json
import random
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "classroom"))

from damage import damaged

from rooflib.classroom import sample
from rooflib.classroom.assignment import Assignment
from rooflib.classroom.grade import Job, grade
from rooflib.classroom.intake.roster import Roster, Student
from rooflib.classroom.mark import Decisions
from rooflib.classroom.pool import processes
from rooflib.classroom.worker import read_notebook

FIVE = Assignment("Benchmark", ("1", "2", "3", "4", "5"))


class Memory:
    """The peak of this process and everything below it, while the block runs."""

    def __enter__(self):
        self.peak, self._over = 0, threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._over.set()
        self._thread.join()

    def _watch(self):
        me = psutil.Process()
        while not self._over.wait(0.5):
            total = 0
            for process in (me, *me.children(recursive=True)):
                with contextlib.suppress(psutil.Error):
                    total += process.memory_full_info().pss
            self.peak = max(self.peak, total)


def made(folder, students, assignment=FIVE, accidents=True):
    """Write the hand-ins of so many students; returns the roster."""
    members = [Student(f"s{n:05}", f"Student Nr{n:05}") for n in range(students)]
    roll = random.Random(1)
    folder.mkdir(parents=True)
    for n, student in enumerate(members):
        choose = sample.at_random(0.7, random.Random(n))
        for number in assignment.problems:
            page = sample.answered(assignment, student.id, number, choose)
            if accidents and number == "3" and n % 500 == 250:
                loop = {**page["cells"][1], "id": "loop", "source": "while True:\n    pass"}
                page["cells"].append(loop)
            data = json.dumps(page).encode()
            if accidents and roll.random() < 0.01:
                data = damaged(data, roll.randrange(10**6))
            name = f"nr{n:05}student_{10000 + n}_{90000 + n}_problem_{number}.ipynb"
            (folder / name).write_bytes(data)
    return Roster(tuple(members))


def graded(folder, out, roster, assignment=FIVE, decisions=None):
    """Grade it; seconds, peak bytes and the summary."""
    job = Job([folder], out, assignment, roster, decisions or Decisions({}))
    begin = time.perf_counter()
    with Memory() as memory, processes(2) as pool:
        summary = grade(job, pool)
    return time.perf_counter() - begin, memory.peak, summary


def a_class(students, root):
    folder = root / f"class of {students}"
    roster = made(folder, students)
    out = root / f"grades of {students}"
    seconds, peak, summary = graded(folder, out, roster)
    again, _peak, second = graded(folder, out, roster)
    dropped, _peak, third = graded(folder, out, roster, decisions=Decisions({}, ("2c",)))
    assert second.kept == third.marked == students
    print(
        f"{students:5} students, {summary.notebooks} notebooks: {seconds:6.1f} s, "
        f"{peak / 1e6:4.0f} MB, {len(summary.troubles)} reported, {summary.look} need a look; "
        f"again {again:.1f} s; with a question dropped {dropped:.1f} s"
    )
    shutil.rmtree(folder)


def a_second(number, root, students=200):
    assignment = Assignment("Benchmark", (number,))
    folder = root / f"only {number}"
    roster = made(folder, students, assignment, accidents=False)
    few = Roster(roster.students[:2])
    for path in folder.iterdir():
        (root / "few").mkdir(exist_ok=True)
        if "Student" in path.name or path.name < "nr00002":
            shutil.copy(path, root / "few")
    start, _peak, _summary = graded(root / "few", root / f"few {number}", few, assignment)
    seconds, _peak, _summary = graded(folder, root / f"grades {number}", roster, assignment)
    shutil.rmtree(root / "few")
    return (students - 2) / (seconds - start)


def damaged_ones(count):
    base = json.dumps(sample.answered(FIVE, "s1", "1", lambda _part: sample.RIGHT)).encode()
    begin = time.perf_counter()
    read = sum("trouble" not in read_notebook(damaged(base, seed)) for seed in range(count))
    seconds = time.perf_counter() - begin
    print(f"{count} damaged notebooks: {read} read, {count - read} reported, {seconds:.0f} s")


def main():
    sizes = [int(word) for word in sys.argv[1:]] or [200, 1000, 2000]
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for students in sizes:
            a_class(students, root)
        print(f"without a run: {a_second('1', root):.0f} notebooks a second")
        print(f"with a run:    {a_second('3', root):.0f} notebooks a second")
    damaged_ones(5000)


if __name__ == "__main__":
    main()
