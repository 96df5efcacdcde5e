"""Symbols: sizes that stay letters, so that rooflib prints its own formulas. Loads sympy."""

from __future__ import annotations

from typing import Any

from rooflib.exact import Number, is_symbol
from rooflib.i18n import _


def symbols(names: str) -> Any:
    """Letters that stand for whole numbers above 0: B, D, F = symbols("B D F")."""
    import sympy

    return sympy.symbols(names, positive=True, integer=True)


def limit(expression: Number, *, small: str = "", large: str = "") -> Number:
    """What a formula tends to: all letters but the `small` ones large, or the `large` ones large.

    >>> from rooflib.operations import dot, matmul
    >>> B, D, F = symbols("B D F")
    >>> limit(matmul(B, D, F).intensity("hbm"), small="B")
    B

    small, large: letters, separated by blanks; name one of the two. The letters that grow do so
    together, at the same rate. A number is its own limit. Raises ValueError for a letter that
    is not in the formula.
    """
    import sympy

    if bool(small) == bool(large):
        raise ValueError(_("say either small= or large=: the letters that stay, or that grow"))
    if not is_symbol(expression):
        return expression
    letters = {str(symbol): symbol for symbol in expression.free_symbols}
    named = _letters(small or large)
    unknown = [name for name in named if name not in letters]
    if unknown:
        raise ValueError(
            _("{unknown} is not in {expression}; its letters: {letters}").format(
                unknown=", ".join(unknown),
                expression=expression,
                letters=", ".join(sorted(letters)),
            )
        )
    growing = set(letters) - set(named) if small else set(named)
    scale = sympy.Symbol("scale", positive=True)
    scaled = expression.subs({letters[name]: letters[name] * scale for name in growing})
    return sympy.cancel(sympy.limit(sympy.cancel(scaled), scale, sympy.oo))


def _letters(names: str) -> list[str]:
    return names.replace(",", " ").split()
