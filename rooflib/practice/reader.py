"""Read a formula as a person writes it; Python never evaluates the text.

Understood: numbers, the question's letters, + - * / and whole powers, brackets, min, max, abs,
products without a sign (2BDF, 2(B + D)), and the signs × · ÷ − ^ with full-width characters.
What is not understood raises `Unreadable`, which shows the place and says what would be right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from rooflib.i18n import _
from rooflib.practice.algebra import Formula, largest, smallest
from rooflib.practice.polynomial import TooLong
from rooflib.practice.tokens import Token, Unreadable, digit_after_letter, tokens

MAX_LENGTH = 600
MAX_DEPTH = 40
MAX_EXPONENT = 60  # of ten, in a number such as 1e60


@dataclass(frozen=True, slots=True)
class Node:
    """One step of what was read: kind is number, letter, a sign, "neg" or a function's name."""

    kind: str
    at: int
    args: tuple[Node, ...] = ()
    value: Fraction = Fraction(0)
    text: str = ""


@dataclass(frozen=True)
class Reading:
    """A formula that was read, and how."""

    value: Formula
    echo: str
    tree: Node = field(repr=False)


def read(
    text: str,
    letters: Iterable[str],
    names: Mapping[str, Formula] | None = None,
    literal: Callable[[Fraction], Fraction] = lambda number: number,
) -> Reading:
    """Read `text` as a formula of `letters`.

    `names` are further words with a meaning (T_math); `literal` may replace a number that is
    written in the text, such as 9.895e14 by the rate that it stands for.
    Raises `Unreadable`.
    """
    if len(text) > MAX_LENGTH:
        why = _("That is {n} characters long; a formula here needs a few dozen.")
        raise Unreadable(why.format(n=len(text)))
    names = names or {}
    reader = _Reader(text, tuple(letters), names)
    tree = reader.tree()
    value = _Evaluator(text, names, literal).value(tree)
    return Reading(value, shown(tree), tree)


class _Reader:
    """Precedence climbing: + - below * / below signs below powers."""

    def __init__(self, text: str, letters: tuple[str, ...], names: Mapping[str, Formula]) -> None:
        self.text = text
        self.tokens = tokens(text, letters, names)
        self.position = 0
        self.depth = 0

    def tree(self) -> Node:
        if self.now.kind == "end":
            raise self.failed(_("There is nothing here yet."), 0)
        node = self._sum()
        if self.now.kind != "end":
            if self.now.text == ",":
                why = _("A comma belongs between the arguments of max or min only.")
            else:
                why = _("This bracket was never opened.")
            raise self.failed(why, self.now.at)
        return node

    @property
    def now(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        token = self.now
        self.position += 1
        return token

    def failed(self, why: str, at: int) -> Unreadable:
        return Unreadable(why, self.text, at)

    def _sum(self) -> Node:
        node = self._product()
        while self.now.text in ("+", "-"):
            sign = self.take()
            node = Node(sign.text, sign.at, (node, self._product()))
        return node

    def _product(self) -> Node:
        node = self._signed()
        while True:
            if self.now.text in ("*", "/"):
                sign = self.take()
                right = self._signed()
                if sign.text == "/" and self._side_by_side():
                    why = _(
                        "After / a product without a sign can be read in two ways. "
                        "Put brackets around what you divide by."
                    )
                    raise self.failed(why, self.now.at)
                node = Node(sign.text, sign.at, (node, right))
            elif self._side_by_side():
                at = self.now.at
                node = Node("*", at, (node, self._signed()))
            else:
                return node

    def _side_by_side(self) -> bool:
        """Whether the next token continues a product without a sign."""
        if self.now.kind == "number":
            before = self.tokens[self.position - 1]
            what = _("Two numbers stand side by side; which sign belongs between them?")
            if before.kind == "number":
                raise self.failed(what, self.now.at)
            if before.kind == "letter":
                raise self.failed(digit_after_letter(), self.now.at)
        return self.now.kind in ("number", "letter", "function") or self.now.text == "("

    def _signed(self) -> Node:
        if self.now.text in ("+", "-"):
            sign = self.take()
            with self._deeper(sign):
                inner = self._signed()
            return inner if sign.text == "+" else Node("neg", sign.at, (inner,))
        return self._power()

    def _power(self) -> Node:
        base = self._atom()
        if self.now.text == "**":
            sign = self.take()
            with self._deeper(sign):
                return Node("**", sign.at, (base, self._signed()))
        return base

    def _atom(self) -> Node:
        token = self.take()
        if token.kind == "number":
            return Node("number", token.at, value=self._number(token), text=token.text)
        if token.kind == "letter":
            return Node("letter", token.at, text=token.text)
        if token.kind == "function":
            return self._call(token)
        if token.text == "(":
            with self._deeper(token):
                node = self._sum()
            self._close(token)
            return node
        if token.kind == "end":
            raise self.failed(_("Something is missing at the end."), token.at)
        raise self.failed(_("Something is missing before this sign."), token.at)

    def _call(self, token: Token) -> Node:
        opened = self.take()
        if opened.text != "(":
            why = _("{name} takes its arguments in brackets: {name}(a, b).")
            raise self.failed(why.format(name=token.text), token.at)
        with self._deeper(token):
            args = [self._sum()]
            while self.now.text == ",":
                self.take()
                args.append(self._sum())
        self._close(opened)
        wanted = "1" if token.text == "abs" else _("2 or more")
        if (len(args) == 1) != (token.text == "abs"):
            why = _("{name} takes {wanted} arguments, separated by commas; here it has {n}.")
            raise self.failed(why.format(name=token.text, wanted=wanted, n=len(args)), token.at)
        return Node(token.text, token.at, tuple(args))

    def _close(self, opened: Token) -> None:
        if self.take().text != ")":
            self.position -= 1
            if self.now.kind == "end":
                raise self.failed(_("This bracket is never closed."), opened.at)
            raise self.failed(_("A closing bracket is expected here."), self.now.at)

    def _number(self, token: Token) -> Fraction:
        digits, _e, exponent = token.text.replace("_", "").lower().partition("e")
        if exponent and (len(exponent) > 4 or abs(int(exponent)) > MAX_EXPONENT):
            raise self.failed(_("This number is beyond anything that is asked here."), token.at)
        try:
            return Fraction(digits) * Fraction(10) ** int(exponent or 0)
        except ValueError:
            raise self.failed(_("I cannot read this number."), token.at) from None

    def _deeper(self, token: Token) -> _Depth:
        return _Depth(self, token)


class _Depth:
    """Counts nesting, so that ten thousand brackets get a sentence and not a crash."""

    def __init__(self, reader: _Reader, token: Token) -> None:
        self.reader, self.token = reader, token

    def __enter__(self) -> None:
        self.reader.depth += 1
        if self.reader.depth > MAX_DEPTH:
            why = _("Brackets, signs or powers are nested deeper than {n} levels here.")
            raise self.reader.failed(why.format(n=MAX_DEPTH), self.token.at)

    def __exit__(self, *error: object) -> None:
        self.reader.depth -= 1


class _Evaluator:
    def __init__(
        self,
        text: str,
        names: Mapping[str, Formula],
        literal: Callable[[Fraction], Fraction],
    ) -> None:
        self.text, self.names, self.literal = text, names, literal

    def value(self, node: Node) -> Formula:
        if node.kind == "number":
            return Formula.constant(self.literal(node.value))
        if node.kind == "letter":
            name = node.text
            return self.names[name] if name in self.names else Formula.letter(name)
        args = [self.value(arg) for arg in node.args]
        try:
            return self._apply(node.kind, args)
        except ZeroDivisionError:
            raise Unreadable(_("This divides by zero."), self.text, node.at) from None
        except TooLong:
            why = _("This grows too large to be compared; is there a shorter way to write it?")
            raise Unreadable(why, self.text, node.at) from None
        except ValueError:
            raise Unreadable(_("A power here is a whole number."), self.text, node.at) from None

    def _apply(self, kind: str, args: list[Formula]) -> Formula:
        match kind:
            case "+":
                return args[0] + args[1]
            case "-":
                return args[0] - args[1]
            case "*":
                return args[0] * args[1]
            case "/":
                return args[0] / args[1]
            case "**":
                return args[0] ** args[1]
            case "neg":
                return -args[0]
            case "abs":
                return abs(args[0])
            case "max":
                return largest(args)
            case _:
                return smallest(args)


_LEVEL = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "**": 4}


def shown(node: Node, level: int = 0) -> str:
    """The tree as it was read, with every product and bracket visible: 2·B·D·F."""
    if node.kind == "number":
        return node.text
    if node.kind == "letter":
        return node.text
    if node.kind in ("max", "min", "abs"):
        return f"{node.kind}({', '.join(shown(arg) for arg in node.args)})"
    own = _LEVEL[node.kind]
    if node.kind == "neg":
        text = "-" + shown(node.args[0], own)
    elif node.kind == "**":
        text = f"{shown(node.args[0], own + 1)}^{shown(node.args[1], own)}"
    else:
        sign = {"+": " + ", "-": " - ", "*": "·", "/": "/"}[node.kind]
        right = own + (node.kind in "-/")
        text = f"{shown(node.args[0], own)}{sign}{shown(node.args[1], right)}"
    return f"({text})" if own < level else text
