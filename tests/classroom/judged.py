"""Records of made-up students, judged for real."""

from rooflib.practice import deal
from rooflib.practice.judge import judge
from rooflib.practice.question import show

# What one student answers to problem 1: right, a known slip, unreadable, another slip, nothing.
ANSWERS = {
    "1a": {"read": "B*D + D*F", "written": "2*B*F"},
    "1b": {"ops": "2*B*D*F +"},
    "1c": {"intensity": "B*D", "limit": "B"},
}
CANARY = "the-key-in-person"


def judged(answers=ANSWERS, student="s001", name="Ada Lovelace", **more):
    """One student's record for problem 1. The key of each part is CANARY."""
    questions = {}
    for question in deal.dealt("1", "s001", "C").questions:
        given = answers.get(question.id, {})
        verdicts = judge(question, given)
        parts = {
            part.name: {
                "outcome": verdict.outcome,
                "score": verdict.score,
                "points": 1.0,
                "answer": given.get(part.name, ""),
                "echo": verdict.echo,
                "message": verdict.message,
                "key": verdict.key,
                "accepted": False,
                "asks": part.asks,
                "right": f"{CANARY} {show(part)}",
            }
            for part in question.parts
            for verdict in [verdicts[part.name]]
        }
        questions[question.id] = {
            "points": float(len(parts)),
            "dropped": False,
            "parts": parts,
            "asks": question.asks,
        }
    record = {
        "student": student,
        "name": name,
        "files": ["all.zip/ada.ipynb"],
        "superseded": [],
        "late": False,
        "protection": "",
        "flags": [],
        "questions": questions,
        "whys": {},
    }
    return record | more


def part(record, column):
    question, _dot, name = column.partition(".")
    return record["questions"][question]["parts"][name]
