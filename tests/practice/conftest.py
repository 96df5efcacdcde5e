"""Every test has a progress file of its own, and a session that remembers nothing."""

import pytest

from rooflib.practice import session, talk


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    monkeypatch.setenv("ROOFLIB_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.delenv("ROOFLIB_GRADER", raising=False)
    session._dealt.clear()
    talk.forget()
    return tmp_path / "progress.json"
