"""Write a formula in another way, or change one token of it: for tests and the benchmark."""

import re

from rooflib.practice.reader import Node, read

TOKEN = re.compile(r"\d[\d.]*(?:e[+-]?\d+)?|\*\*|[A-Za-z_]+|.")


def tokens(text):
    return TOKEN.findall(text.replace(" ", ""))


def tree(text, part):
    for word in (" bytes", " OPs", " s", " seconds", " OPs/byte", " FLOPs", " B/s"):
        text = text.removesuffix(word)
    return read(text, part.letters.split(), part.names).tree


def rewritten(text, part, chance):
    """The same formula: commuted, expanded, divided through, with zeros and ones put in."""
    letters = part.letters.split()
    return _write(tree(text, part), letters, chance, 0)


def _write(node, letters, chance, depth):
    inner = [_write(arg, letters, chance, depth + 1) for arg in node.args]
    if node.kind == "number":
        return _number(node, chance)
    if node.kind == "letter":
        return _leaf(node.text, letters, chance, depth)
    if node.kind in ("+", "*"):
        return _two(node.kind, inner, letters, chance)
    if node.kind == "-":
        return chance.choice(["({0} - {1})", "(-{1} + {0})", "({0} + -1*({1}))"]).format(*inner)
    if node.kind == "/":
        forms = ["({0})/({1})", "({0})*({1})**-1", "1/(({1})/({0}))"]
        if node.args[0].kind == "+" and chance.random() < 0.5:
            a, b = (_write(arg, letters, chance, depth + 2) for arg in node.args[0].args)
            return f"(({a})/({inner[1]}) + ({b})/({inner[1]}))"
        return chance.choice(forms).format(*inner)
    if node.kind in ("max", "min") and len(inner) == 2:
        turn = "min" if node.kind == "max" else "max"
        sign = "+" if node.kind == "max" else "-"
        forms = [
            f"{node.kind}({{1}}, {{0}})",
            f"({{0}} + {{1}} - {turn}({{0}}, {{1}}))",
            f"(({{0}} + {{1}} {sign} abs(({{0}}) - ({{1}})))/2)",
            f"-{turn}(-({{0}}), -({{1}}))",
            f"{node.kind}({{0}}, {{1}}, {{0}})",
        ]
        return "(" + chance.choice(forms).format(*inner) + ")"
    if node.kind == "neg":
        return f"(-({inner[0]}))"
    if node.kind == "**":
        return f"(({inner[0]})**({inner[1]}))"
    return f"{node.kind}({', '.join(inner)})"


def _two(kind, inner, letters, chance):
    a, b = inner
    x = chance.choice(letters)
    if kind == "+":
        forms = ["({0} + {1})", "({1} + {0})", "({0} - (-({1})))", "(({0}*{x} + ({1})*{x})/{x})"]
        return chance.choice(forms).format(a, f"({b})", x=x).replace("((", "((")
    forms = ["({0})*({1})", "({1})*({0})", "({0})/(1/({1}))", "({x}*({0})*({1})/{x})"]
    return "(" + chance.choice(forms).format(a, b, x=x) + ")"


def _leaf(text, letters, chance, depth):
    x = chance.choice(letters)
    forms = [text] * 5 + [f"({text} + 0*{x})", f"({text}*1)", f"({text} + {x} - {x})"]
    forms += [f"(2*{text}/2)", f"max({text}, {text})", f"(({text}**2)/{text})"]
    return chance.choice(forms) if depth < 5 else text


def _number(node, chance):
    value = node.value
    forms = [node.text]
    if value.denominator == 1 and value < 100:
        n = int(value)
        forms += [f"{n}.0", f"({n - 1} + 1)" if n else "(1 - 1)", f"({2 * n}/2)", f"({3 * n}/3)"]
    elif value.denominator == 1:
        forms += [f"({value.numerator})", f"({node.text}*1)"]
    return chance.choice(forms)


def mutated(text, part, chance):
    """One token changed: a letter, a digit, a sign; None when the result cannot be read."""
    found = tokens(plain(tree(text, part)))
    places = [i for i, token in enumerate(found) if _others(token, part)]
    if not places:
        return None
    at = chance.choice(places)
    found[at] = chance.choice(_others(found[at], part))
    changed = "".join(found)
    try:
        read(changed, part.letters.split(), part.names)
    except ValueError:
        return None
    return changed


def _others(token, part):
    if token in "+-*/" and token:
        return [sign for sign in "+-*/" if sign != token]
    if token in ("max", "min"):
        return ["min" if token == "max" else "max"]
    letters = part.letters.split()
    if token in letters or token in part.names:
        return [name for name in [*letters, *part.names] if name != token]
    if token[0].isdigit():
        return [f"({token}+1)", f"({token}*2)", f"({token}/2)", "0"]
    return []


def plain(node: Node) -> str:
    """The tree with every sign and bracket written out."""
    inner = [plain(arg) for arg in node.args]
    if node.kind in ("number", "letter"):
        return node.text
    if node.kind == "neg":
        return f"(-{inner[0]})"
    if node.kind in ("max", "min", "abs"):
        return f"{node.kind}({', '.join(inner)})".replace(" ", "")
    return f"({inner[0]}{node.kind}{inner[1]})"
