"""Works, chips and times as plain dicts and JSON, and back, exactly.

Ints of any length stay ints, fractions stay fractions, floats come back to the last bit. Formulas
other than single letters are not stored: store the numbers, or the code.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from rooflib import exact
from rooflib.chips import Chip, Link, Rate
from rooflib.i18n import _
from rooflib.names import unknown
from rooflib.roofline import Times, estimate
from rooflib.units import dtype
from rooflib.work import Operand, Operation, Traffic, Work

KIND = "rooflib"


def to_dict(thing: Work | Chip | Times) -> dict[str, Any]:
    """A plain dict of dicts, lists, texts and numbers; TypeError for anything else."""
    for kind, (cls, write, _read) in _KINDS.items():
        if isinstance(thing, cls):
            return {KIND: kind, **write(thing)}
    raise TypeError(_("can store a Work, a Chip or Times; got {thing!r}").format(thing=thing))


def from_dict(data: Mapping[str, Any]) -> Any:
    """What `to_dict` stored. ValueError if it is nothing of the kind, with what is wrong."""
    kind = data.get(KIND) if isinstance(data, Mapping) else None
    if kind not in _KINDS:
        raise ValueError(unknown(_("kind of thing"), kind, _KINDS))
    try:
        return _KINDS[kind][2](data)
    except KeyError as missing:
        raise ValueError(_("this {kind} has no {key}").format(kind=kind, key=missing)) from None
    except (AttributeError, TypeError) as error:
        raise ValueError(
            _("this is no stored {kind}: {error}").format(kind=kind, error=error)
        ) from None


def to_json(thing: Work | Chip | Times) -> str:
    """`to_dict` as JSON text."""
    import json  # here, so that importing rooflib stays light

    return json.dumps(to_dict(thing), ensure_ascii=False)


def from_json(text: str) -> Any:
    """What `to_json` stored. ValueError if it is no JSON or nothing of the kind."""
    import json

    return from_dict(json.loads(text))


def _work_out(work: Work) -> dict[str, Any]:
    return {"operations": [_operation_out(each) for each in work.operations]}


def _work_in(data: Mapping[str, Any]) -> Work:
    return Work(tuple(_operation_in(each) for each in data["operations"]))


def _operation_out(operation: Operation) -> dict[str, Any]:
    return {
        "name": operation.name,
        "spec": operation.spec,
        "sizes": {letter: _number_out(size) for letter, size in operation.sizes.items()},
        "operands": [
            {
                "name": each.name,
                "letters": each.letters,
                "dtype": each.dtype.name,
                "role": each.role,
                "times": _number_out(each.times),
                "link": each.link,
            }
            for each in operation.operands
        ],
        "compute": operation.compute.name,
        "unit": operation.unit,
        "exactly": operation.exactly,
        "sent": {
            link: {"bytes": _number_out(t.bytes), "messages": _number_out(t.messages)}
            for link, t in operation.sent.items()
        },
        "notes": list(operation.notes),
    }


def _operation_in(data: Mapping[str, Any]) -> Operation:
    sizes = {letter: exact.count(letter, _number_in(x)) for letter, x in data["sizes"].items()}
    operands = tuple(
        Operand(
            name=each["name"],
            letters=each["letters"],
            shape=tuple(sizes[letter] for letter in each["letters"]),
            dtype=dtype(each["dtype"]),
            role=each["role"],
            times=_number_in(each["times"]),
            link=each["link"],
        )
        for each in data["operands"]
    )
    return Operation(
        name=data["name"],
        spec=data["spec"],
        sizes=sizes,
        operands=operands,
        compute=dtype(data["compute"]),
        unit=data["unit"],
        exactly=data["exactly"],
        sent={
            link: Traffic(_number_in(t["bytes"]), _number_in(t["messages"]))
            for link, t in data["sent"].items()
        },
        notes=tuple(data["notes"]),
    )


def _chip_out(chip: Chip) -> dict[str, Any]:
    plain = {f.name: getattr(chip, f.name) for f in dataclasses.fields(chip)}
    for group in ("matrix", "vector", "links"):
        plain[group] = {name: dataclasses.asdict(each) for name, each in plain[group].items()}
    return plain | {"aliases": list(chip.aliases)}


def _chip_in(data: Mapping[str, Any]) -> Chip:
    fields = {name: value for name, value in data.items() if name != KIND}
    for group, cls in (("matrix", Rate), ("vector", Rate), ("links", Link)):
        fields[group] = {name: cls(**each) for name, each in data[group].items()}
    return Chip(**fields)


def _times_out(times: Times) -> dict[str, Any]:
    """The work and the chip say it all; the seconds are there for whoever reads the JSON."""
    seconds = {"math": times.math, **times.comms, "lower": times.lower, "upper": times.upper}
    return {
        "work": to_dict(times.work),
        "chip": to_dict(times.chip),
        "seconds": {name: _number_out(value) for name, value in seconds.items()},
    }


def _times_in(data: Mapping[str, Any]) -> Times:
    return estimate(from_dict(data["work"]), from_dict(data["chip"]))


_KINDS: dict[str, tuple[type, Callable[[Any], dict[str, Any]], Callable[[Any], Any]]] = {
    "work": (Work, _work_out, _work_in),
    "chip": (Chip, _chip_out, _chip_in),
    "times": (Times, _times_out, _times_in),
}


def _number_out(value: Any) -> Any:
    if isinstance(value, Fraction):
        return {"fraction": [value.numerator, value.denominator]}
    if exact.is_array(value):
        return {"array": value.tolist()}
    if exact.is_symbol(value):
        if getattr(value, "is_Symbol", False):
            return {"letter": str(value)}
        raise ValueError(_("cannot store the formula {value}; give it numbers").format(value=value))
    return value


def _number_in(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    if "fraction" in value:
        return Fraction(*value["fraction"])
    if "array" in value:
        return np.asarray(value["array"], dtype=np.float64)
    from rooflib.symbolic import symbols

    return symbols(value["letter"])
