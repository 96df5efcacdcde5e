"""A submission that is right, with room for a hostile cell in its middle."""

from rooflib.classroom.confined import returns
from rooflib.classroom.confined.sandbox import Limits, Request, Run, request_for
from rooflib.practice import problems
from rooflib.practice.judge_function import judge_function

# As in real life, only shorter.
SHORT = Limits(cpu=2, wall=10.0, quiet=2.0, memory=256 << 20)

BEFORE = (
    "import rooflib as rl\nfrom rooflib.practice import check, given, hint, progress, solution",
    'given("3")',
    'check("3b", big=137, small=227)',
)
AFTER = (
    "from rooflib.practice import check",
    'check("3d", big="89.4%", small="68%")',
    """
def throughput(B, D, F):
    time_math = 2 * B * D * F / 1.97e14
    time_comms = (2 * B * D + D * F + 2 * B * F) / 8.2e11
    return 2 * B * D * F / np.maximum(time_math, time_comms)
""",
    'import numpy as np\ncheck("3a", throughput=throughput)',
)
GIVEN, PARTS = request_for({name: problems.book(name) for name in ("1", "3")})


def submission(*cells: str) -> Request:
    return Request((*BEFORE, *cells, *AFTER), GIVEN, PARTS)


def assert_the_rest_is_right(run: Run) -> None:
    assert run.answers["3b"] == {"big": {"number": "137"}, "small": {"number": "227"}}, run.notes
    assert run.answers["3d"] == {"big": {"text": "89.4%"}, "small": {"text": "68%"}}, run.notes
    function = returns.replay(run.answers["3a"]["throughput"]["returns"])
    part = problems.book("3").questions[0].parts[0]
    assert judge_function(part, function).outcome == "right"


def said(run: Run) -> str | None:
    """What a hostile cell found out: it says so as its answer to 1a."""
    return run.answers.get("1a", {}).get("read", {}).get("text")
