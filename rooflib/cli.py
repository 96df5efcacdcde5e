"""The command `rooflib`: open the book, bring pages back, build them, print chips, hold a class."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from rooflib.book import BookError, find_book
from rooflib.classroom import commands as classroom
from rooflib.i18n import _
from rooflib.names import unknown

EXIT_CODES = """\
exit codes:
  0  done, and everything is as it should be
  1  something is not: a stale notebook, a text with an error, a port that is taken, no book here,
     a hand-in that could not be graded (the others were)
  2  the command line, or a file that it names, was not understood; nothing was done
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    argv = sys.argv[1:] if argv is None else list(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a console that cannot show µ shows ? instead
            stream.reconfigure(errors="replace")
    parser, commands = _parser()
    command = _first_word(argv)
    if command is not None and command not in commands:
        parser.error(unknown("command", command, commands))
    given = parser.parse_args(argv)
    try:
        return int(_RUN[given.command](given))
    except BookError as error:
        return _fail(str(error))
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in ("rooflib", ""):
            raise
        return _fail(
            _(
                "{module} is not installed, and opening or building the book needs it: "
                'pip install "rooflib[book]", or run it from a clone with uv run rooflib'
            ).format(module=error.name)
        )
    except BrokenPipeError:  # rooflib chips | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _open(given: argparse.Namespace) -> int:
    book = find_book()
    book.first_page()  # before anything slow is loaded
    from rooflib.launch import open_book

    open_book(book, port=given.port, browser=not given.no_browser)
    return 0


def _build(given: argparse.Namespace) -> int:
    book = find_book()
    from rooflib.build import build
    from rooflib.pages import jobs

    try:
        jobs(book, given.names)
    except ValueError as error:  # a name that no text has
        return _fail(str(error), code=2)
    report = build(book, given.names, write=not given.check)
    for message in report.errors:
        print(message, end="\n\n", file=sys.stderr)
    for name, stem in report.stale:
        if given.check:
            print(f"stale: {name}; `rooflib build {stem}` mends it", file=sys.stderr)
        elif not report.errors:
            print(f"wrote {name}")
    for name in report.orphans:
        print(f"orphan: {name} comes from no text; `git rm {name}` mends it", file=sys.stderr)
    if report.errors and not given.check:
        print("nothing was written", file=sys.stderr)
    else:
        print(
            f"{len(report.fresh)} up to date, {len(report.stale)} stale"
            if given.check
            else f"{len(report.fresh)} were up to date"
        )
    if given.check:
        return 0 if report.clean else 1
    return 1 if report.errors else 0


def _restore(given: argparse.Namespace) -> int:
    book = find_book()
    from rooflib.restore import restore

    try:
        done = restore(book, given.names)
    except ValueError as error:  # a name that no page has
        return _fail(str(error), code=2)
    for each in done:
        print(each)
    if any(each.kept for each in done):
        print(_("if the page is open: File, Reload Notebook from Disk"))
    return 0


def _chips(given: argparse.Namespace) -> int:
    from rooflib.chips import chips_table

    print(chips_table())
    return 0


def _teach(given: argparse.Namespace) -> int:
    try:
        return classroom.run(given)
    except classroom.Slip as slip:
        return _fail(str(slip), code=2)


_RUN = {None: _open, "restore": _restore, "build": _build, "chips": _chips}
_RUN |= dict.fromkeys(classroom.NAMES, _teach)


def _parser() -> tuple[argparse.ArgumentParser, list[str]]:
    parser = argparse.ArgumentParser(
        prog="rooflib",
        description=_("Without a command: open the book in JupyterLab, on its first page."),
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"rooflib {version('rooflib')}")
    parser.add_argument(
        "--no-browser", action="store_true", help=_("print the address, open no browser")
    )
    parser.add_argument(
        "--port", type=_port, metavar="N", help=_("serve on this port (default: 8888 or the next)")
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    restore = commands.add_parser(
        "restore", help=_("bring pages back as they were; your versions are kept beside them")
    )
    restore.add_argument(
        "names", nargs="*", metavar="NAME", help=_("01_time, or a path: exercises/problem_1.ipynb")
    )
    build = commands.add_parser("build", help="make the notebooks from their texts")
    build.add_argument("names", nargs="*", metavar="NAME", help="only these, such as 01_time")
    build.add_argument(
        "--check", action="store_true", help="write nothing; say what is stale, and fail if any is"
    )
    commands.add_parser("chips", help=_("print the table of chips and their ridges"))
    classroom.add(commands)
    return parser, list(commands.choices)


def _first_word(argv: Sequence[str]) -> str | None:
    """The command in `argv`: what is neither an option nor the value of --port."""
    words = iter(argv)
    for word in words:
        if word == "--port":
            next(words, None)
        elif not word.startswith("-"):
            return word
    return None


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(
            _("a port is a whole number from 1 to 65535; got {text!r}").format(text=text)
        )
    return int(text)


def _fail(message: str, code: int = 1) -> int:
    print(f"rooflib: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
