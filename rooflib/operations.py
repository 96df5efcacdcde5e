"""The operations that rooflib can count: einsum, and by their own names matmul and dot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rooflib import exact
from rooflib.exact import Count
from rooflib.i18n import _
from rooflib.names import pick
from rooflib.units import Dtype, dtype
from rooflib.work import Operand, Operation, Work


def einsum(
    spec: str,
    *,
    dtypes: str | Sequence[object] = "bf16",
    compute: object = None,
    unit: str = "matrix",
    exactly: bool = False,
    name: str = "einsum",
    **sizes: Count,
) -> Work:
    """The work of an einsum: every operand read once, the output written once.

    spec: letters of each operand and of the output, "bd,df->bf". sizes: one for each letter.
    dtypes: one for each operand and one for the output, or a single one for all. compute: the
    number format of the arithmetic, by default the widest operand's. unit: "matrix" or "vector".
    exactly: count the additions one by one (BF(2D-1)) instead of by the usual rounding (2BDF).

    Operations are (operands - 1) multiplies for every combination of letters and, where a letter
    is summed away, one addition.

    >>> einsum("bd,bdf->bf", b=8, d=512, f=512, dtypes="int8").intensity("hbm")
    1.9922178988326849

    Raises ValueError for a spec that cannot be read, letters without a size, sizes without a
    letter, arrays that do not broadcast, dtypes that do not fit; TypeError for a size that is
    no number.
    """
    letters = _read_spec(spec)
    _same_letters(spec, letters, sizes)
    # the order of first appearance, whatever the order of the arguments
    order = dict.fromkeys("".join(letters))
    counted = {letter: exact.count(letter, sizes[letter]) for letter in order}
    exact.broadcast(**counted)
    formats = _formats(dtypes, spec, len(letters))
    names = _operand_names(len(letters))
    operands = tuple(
        Operand(
            name=names[i],
            letters=text,
            shape=tuple(counted[letter] for letter in text),
            dtype=formats[i],
            role="written" if i == len(letters) - 1 else "read",
        )
        for i, text in enumerate(letters)
    )
    return Work(
        (
            Operation(
                name=name,
                spec=spec.replace(" ", ""),
                sizes=counted,
                operands=operands,
                compute=_compute(compute, formats[:-1]),
                unit=pick(_("unit"), unit, ("matrix", "vector")),
                exactly=exactly,
            ),
        )
    )


def matmul(
    B: Count,
    D: Count,
    F: Count,
    *,
    dtype: object = "bf16",
    x: object = None,
    w: object = None,
    out: object = None,
    compute: object = None,
) -> Work:
    """X[B, D] · Y[D, F] → Z[B, F]: 2BDF operations, BD and DF elements read, BF written.

    dtype is that of all three unless x, w (the weights Y) or out says otherwise; compute is the
    number format of the arithmetic, by default the wider one of x and w. B counts tokens, the
    rows of X.

    >>> matmul(256, 8192, 8192).intensity("hbm")
    240.94117647058823

    Raises what `einsum` raises.
    """
    formats = [dtype if each is None else each for each in (x, w, out)]
    return einsum("BD,DF->BF", B=B, D=D, F=F, dtypes=formats, compute=compute, name="matmul")


def dot(N: Count, *, dtype: object = "bf16", compute: object = "fp32") -> Work:
    """x[N] · y[N] → one number: N multiplies, N-1 additions, on the vector unit in fp32.

    >>> dot(1000).ops, dot(1000).bytes["hbm"]
    (1999, 4002)

    Raises what `einsum` raises.
    """
    return einsum(
        "N,N->", N=N, dtypes=[dtype] * 3, compute=compute, unit="vector", exactly=True, name="dot"
    )


def _read_spec(spec: object) -> list[str]:
    if not isinstance(spec, str):
        raise TypeError(_('spec must be text such as "bd,df->bf"; got {spec!r}').format(spec=spec))
    inputs, arrow, output = spec.replace(" ", "").partition("->")
    letters = [*inputs.split(","), output]

    def wrong(cause: str) -> ValueError:
        return ValueError(
            _('cannot read spec {spec!r}: {cause}; write for example "bd,df->bf"').format(
                spec=spec, cause=cause
            )
        )

    if not arrow:
        raise wrong(_("it has no ->"))
    if not inputs:
        raise wrong(_("it has no operand before the ->"))
    for text in letters:
        if text and not text.isalpha():
            raise wrong(_("{text!r} is not made of letters alone").format(text=text))
        if len(set(text)) < len(text):
            raise wrong(
                _("{text!r} repeats a letter, and diagonals are not counted").format(text=text)
            )
    new = set(output) - set(inputs)
    if new:
        raise wrong(
            _("the output letters {new} are in no operand").format(new=", ".join(sorted(new)))
        )
    return letters


def _same_letters(spec: str, letters: list[str], sizes: Mapping[str, Count]) -> None:
    wanted = set("".join(letters))
    missing, extra = sorted(wanted - set(sizes)), sorted(set(sizes) - wanted)
    if missing or extra:
        problem = _("no size for {missing}").format(missing=", ".join(missing)) if missing else ""
        if extra:
            problem += "; " * bool(problem)
            problem += _("no such letter: {extra}").format(extra=", ".join(extra))
        raise ValueError(
            _("{spec!r} needs a size for each of {wanted}: {problem}").format(
                spec=spec, wanted=", ".join(sorted(wanted)), problem=problem
            )
        )


def _formats(dtypes: str | Sequence[object], spec: str, wanted: int) -> list[Dtype]:
    given = list(dtypes) if isinstance(dtypes, list | tuple) else [dtypes] * wanted
    if len(given) != wanted:
        raise ValueError(
            _("{spec!r} has {wanted} tensors, output included, but dtypes has {given}").format(
                spec=spec, wanted=wanted, given=len(given)
            )
        )
    return [dtype(each) for each in given]


def _compute(given: object, operands: Sequence[Dtype]) -> Dtype:
    if given is not None:
        return dtype(given)
    bits = max(each.bits for each in operands)
    widest = dict.fromkeys(each for each in operands if each.bits == bits)
    if len(widest) > 1:
        raise ValueError(
            _(
                "operands of {names} are equally wide: say compute=, the format of the arithmetic"
            ).format(names=", ".join(each.name for each in widest))
        )
    return next(iter(widest))


def _operand_names(n: int) -> list[str]:
    return ["X", "Y", "Z"] if n == 3 else [*(f"X{i}" for i in range(1, n)), "Z"]
