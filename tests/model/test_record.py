"""Records: frozen values with named fields."""

from __future__ import annotations

import pytest

from segue.model.record import Record


class Point(Record):
    """A point, perhaps named."""

    x: int
    y: int = 0
    name: str | None = None


class Weighted(Point):
    """A point with a weight."""

    weight: float = 1.0


@pytest.mark.promise("LOG-17")
def test_fields_defaults_equality_and_text() -> None:
    assert Point(x=1) == Point(x=1, y=0)
    assert Point(x=1) != Point(x=2)
    assert Point(x=1) != Weighted(x=1)
    assert repr(Point(x=1)) == "Point(x=1, y=0, name=None)"
    assert Weighted(x=1).as_dict() == {"x": 1, "y": 0, "name": None, "weight": 1.0}
    assert len({Point(x=1), Point(x=1), Point(x=2)}) == 2
    assert Point(x=1).replace(y=5) == Point(x=1, y=5)


@pytest.mark.promise("LOG-17")
def test_wrong_and_missing_fields_are_refused() -> None:
    with pytest.raises(TypeError, match="x"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="z"):
        Point(x=1, z=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="z"):
        Point(x=1).replace(z=2)


@pytest.mark.promise("LOG-17")
def test_a_record_cannot_be_changed() -> None:
    point = Point(x=1)
    with pytest.raises(AttributeError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x
    assert point.x == 1
