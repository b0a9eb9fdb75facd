"""Owns `Record`, the base of every noun. Never imports more than the interpreter has loaded already.

`dataclasses` costs a hook more CPU than the rest of its work together (docs/decisions/0001), so records that the
hook path loads are built by this module; type checkers see them as frozen, keyword-only dataclasses.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_options):
        """Stand in for `typing.dataclass_transform`, which is too slow to import here."""
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=True)
class Record:
    """A frozen value with named fields, compared and shown by its fields.

    Fields are the class annotations, inherited ones first; a class attribute of the same name is the default.
    Missing or unknown fields raise `TypeError`; assignment raises `AttributeError`.
    """

    _fields: tuple[str, ...] = ()
    _names: frozenset[str] = frozenset()
    _defaults: dict[str, Any] = {}

    def __init_subclass__(cls) -> None:
        told = cls.__dict__.get("__annotations__", ())  # noqa: RUF063 - `inspect` is what this module is there to avoid
        own = tuple(name for name in told if name[0] != "_")
        cls._fields = tuple(f for f in cls._fields if f not in own) + own
        cls._names = frozenset(cls._fields)
        cls._defaults = {**cls._defaults, **{f: cls.__dict__[f] for f in own if f in cls.__dict__}}

    def __init__(self, **values: Any) -> None:
        state = self.__dict__
        state.update(self._defaults)
        state.update(values)
        if state.keys() != self._names:
            wrong = self._names ^ state.keys()
            raise TypeError(f"{type(self).__name__}: wrong or missing fields: {', '.join(sorted(wrong))}")

    @classmethod
    def of(cls, values: dict[str, Any]) -> Self:
        """The record of a mapping that has exactly its fields: what a store's row gives, unchecked."""
        made = object.__new__(cls)
        made.__dict__.update(values)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; use replace()")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *(self.__dict__[f] for f in self._fields)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{f}={self.__dict__[f]!r}' for f in self._fields)})"

    def replace(self, **changes: Any) -> Self:
        """The same record with some fields changed."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.__dict__.update(changes)
        if len(made.__dict__) != len(self._names):
            raise TypeError(f"{type(self).__name__}: unknown fields: {', '.join(sorted(changes.keys() - self._names))}")
        return made

    def as_dict(self) -> dict[str, Any]:
        """The fields by name, in declaration order; nested records stay records."""
        return {f: self.__dict__[f] for f in self._fields}
