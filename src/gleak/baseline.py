"""What was estimated before: a side of a comparison, from an estimate or from its saved JSON."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gleak.certificate import Certificate
from gleak.certify import Bracket
from gleak.concerns import unnamed
from gleak.errors import InputError, nearest
from gleak.files import existing, read_text
from gleak.result import Estimate

_VERSIONS = (1,)
"""Versions of the JSON of an estimate that are understood."""


@dataclass(frozen=True, slots=True)
class Side:
    """What is proven of one system, at one confidence, and who attacked it.

    Its warnings name no secret, so that a comparison can be shown around.
    """

    gain: str
    vulnerability: Bracket
    prior_vulnerability: Bracket
    additive: Bracket
    multiplicative: Bracket | None
    min_entropy_bits: Bracket | None
    confidence: float
    attacker: str
    samples: int
    data_sha256: str
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: Estimate) -> "Side":
        """An estimate as a side."""
        proven: Certificate = found.certificate
        return cls(
            found.gain, proven.vulnerability, proven.prior_vulnerability, proven.additive,
            proven.multiplicative, proven.min_entropy_bits, found.confidence,
            found.attacker.name, found.samples.total, found.provenance.data_sha256,
            tuple(map(unnamed, found.warnings)),
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "vulnerability": _ends(self.vulnerability),
            "prior_vulnerability": _ends(self.prior_vulnerability),
            "leakage": {
                "multiplicative": _ends(self.multiplicative),
                "additive": _ends(self.additive),
                "min_entropy_bits": self.min_entropy_bits and _ends(self.min_entropy_bits),
            },
            "confidence": self.confidence,
            "adversary": self.attacker,
            "samples": self.samples,
            "data_sha256": self.data_sha256,
        }


def read_baseline(path: str | Path, gains: Sequence[str] | None = None) -> list[Side]:
    """The sides of a saved estimate's JSON: those of some gains in their order, or all of them."""
    text = read_text(existing(path, (".json", ".json.gz")))
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: no JSON: {error.msg}") from None
    whole = _Document(document, str(path))
    whole.check_version()
    several = isinstance(document, Mapping) and "estimates" in document
    inner = document["estimates"] if several else [document]
    if not isinstance(inner, list) or not inner:
        raise InputError.must("'estimates'", "a list of estimates", "none", where=str(path))
    sides = [_Document(one, str(path)).side() for one in inner]
    if gains is None:
        return sides
    by_gain = {side.gain: side for side in sides}
    for gain in gains:
        if gain not in by_gain:
            raise InputError(
                f"{path}: the baseline is of the gain {', '.join(by_gain)}, not of {gain}: "
                f"only estimates of one gain can be compared; make the baseline again with "
                f"--gain {gain}"
            )
    return [by_gain[gain] for gain in gains]


@dataclass(frozen=True)
class _Document:
    """The JSON of an estimate, every key asked for by its path."""

    found: Any
    file: str

    def check_version(self) -> None:
        version = self._at("schema_version", _COUNT)
        if version not in _VERSIONS:
            known = ", ".join(map(str, _VERSIONS))
            raise InputError.must(
                "schema_version", f"one of those understood here ({known})", version,
                where=self.file, remedy="make the baseline again with this gleak",
            )  # fmt: skip

    def side(self) -> Side:
        self.check_version()
        return Side(
            self._at("gain", _TEXT), self._vulnerability(),
            self._bracket("prior_vulnerability"), self._bracket("leakage.additive"),
            self._bracket_or_none("leakage.multiplicative"),
            self._bracket_or_none("leakage.min_entropy_bits"),
            self._confidence(), self._at("adversary.name", _TEXT),
            self._at("samples.total", _COUNT), self._at("provenance.data_sha256", _TEXT),
            self._warnings(),
        )  # fmt: skip

    def _confidence(self) -> float:
        found = float(self._at("confidence", _NUMBER))
        if not 0 < found < 1:
            raise InputError.must("confidence", "between 0 and 1", found, where=self.file)
        return found

    def _warnings(self) -> tuple[str, ...]:
        found = self._at("warnings", _LIST)
        for line in found:
            if not isinstance(line, str):
                raise InputError.must("'warnings'", "sentences", repr(line), where=self.file)
        return tuple(map(unnamed, found))

    def _vulnerability(self) -> Bracket:
        reason = self._at("vulnerability.upper_reason", _TEXT_OR_NULL)
        return replace(self._bracket("vulnerability"), upper_reason=reason)

    def _bracket_or_none(self, path: str) -> Bracket | None:
        """A quantity that some gains do not have: it is null, or all its ends are."""
        if self._at(path, _TABLE_OR_NULL) is None:
            return None
        lower = self._at(f"{path}.lower", _NUMBER_OR_NULL)
        return None if lower is None else self._bracket(path)

    def _bracket(self, path: str) -> Bracket:
        lower, estimate = (self._at(f"{path}.{end}", _NUMBER) for end in ("lower", "estimate"))
        upper = self._at(f"{path}.upper", _NUMBER_OR_NULL)
        ends = [float(end) for end in (lower, estimate, upper) if end is not None]
        if ends[0] != min(ends) or not all(map(math.isfinite, ends)):
            raise InputError.must(
                repr(path), "finite numbers of which 'lower' is the smallest", ends,
                where=self.file,
            )  # fmt: skip
        return Bracket(ends[0], ends[1], None if upper is None else ends[2])

    def _at(self, path: str, kind: "_Kind") -> Any:
        """What stands at a path, or a refusal that names the nearest key there is."""
        inner, names = self.found, path.split(".")
        for depth, name in enumerate(names, start=1):
            if not isinstance(inner, Mapping) or name not in inner:
                known = [str(key) for key in inner] if isinstance(inner, Mapping) else []
                hint = f"; {nearest(name, known)}" if known else ""
                missing = ".".join(names[:depth])
                raise InputError(f"{self.file}: the baseline lacks {missing!r}{hint}")
            inner = inner[name]
        if not isinstance(inner, kind.types) or isinstance(inner, bool):
            raise InputError.must(repr(path), kind.name, repr(inner), where=self.file)
        return inner


@dataclass(frozen=True)
class _Kind:
    """What a value of the JSON may be."""

    name: str
    types: tuple[type, ...]


_TEXT = _Kind("text", (str,))
_TEXT_OR_NULL = _Kind("text or null", (str, type(None)))
_TABLE_OR_NULL = _Kind("an object or null", (Mapping, type(None)))
_LIST = _Kind("a list", (list,))
_COUNT = _Kind("a whole number", (int,))
_NUMBER = _Kind("a number", (int, float))
_NUMBER_OR_NULL = _Kind("a number or null", (int, float, type(None)))


def _ends(bracket: Bracket | None) -> dict[str, float | None]:
    if bracket is None:
        return {"lower": None, "estimate": None, "upper": None}
    return {"lower": bracket.lower, "estimate": bracket.estimate, "upper": bracket.upper}
