"""The surface of a log: growing, replacing, refusing, tracing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.errors import SurfaceInvalid
from segue.model.event import CURRENT, LOG_ONLY, SHADOWED
from segue.sessionlog.surface.fold import Surface, fold, replaced, replacements

USER, ANSWER, RESULT, CALL = "user/message", "assistant/message", "tool/result", "tool/call"
Step = tuple[str, tuple[int, int] | None, tuple[int, ...]]


def plainly(steps: list[Step]) -> list[int]:
    """The surface by its definition: every time anew, from a list."""
    nodes: list[int] = []
    for seq, (type_, replaces, _) in enumerate(steps):
        if replaces is not None:
            low, high = nodes.index(replaces[0]), nodes.index(replaces[1])
            nodes = [*nodes[:low], seq, *nodes[high + 1 :]]
        elif type_ != CALL:
            nodes.append(seq)
    return nodes


@st.composite
def logs(draw: st.DrawFn) -> list[Step]:
    """Logs in which every place can be taken."""
    steps: list[Step] = []
    nodes: list[int] = []
    for _ in range(draw(st.integers(0, 30))):
        kind = draw(st.sampled_from([USER, ANSWER, CALL, "replace"]))
        if kind == "replace" and nodes:
            low = draw(st.integers(0, len(nodes) - 1))
            high = draw(st.integers(low, len(nodes) - 1))
            cites = tuple(draw(st.permutations(nodes[low : high + 1])))
            steps.append((draw(st.sampled_from([USER, ANSWER])), (nodes[low], nodes[high]), cites))
        else:
            steps.append((USER if kind == "replace" else kind, None, ()))
        nodes = plainly(steps)
    return steps


@pytest.mark.promise("SUR-1")
@pytest.mark.promise("SUR-3")
@given(logs())
def test_the_surface_that_grows_is_that_of_the_whole_log_and_of_its_definition(steps: list[Step]) -> None:
    growing = Surface()
    for at, step in enumerate(steps):
        growing.add(*step)
        assert list(growing.nodes) == plainly(steps[: at + 1])
    whole = fold(steps)
    assert whole.nodes == growing.nodes
    assert whole.replaced_by == growing.replaced_by
    assert whole.generation == growing.generation == sum(replaces is not None for _, replaces, _ in steps)


@pytest.mark.promise("SUR-1")
@pytest.mark.promise("SUR-4")
def test_a_range_of_places_is_replaced_and_every_event_knows_what_became_of_it() -> None:
    surface = fold([(USER, None, ()), (ANSWER, None, ()), (CALL, None, ()), (ANSWER, None, ())])
    assert surface.add(USER, (1, 1), (1,)) == (1,)
    assert surface.nodes == (0, 4, 3)
    assert surface.add(ANSWER, (4, 3), (3, 4)) == (4, 3)  # 4 stands before 3
    nodes: tuple[int, ...] = surface.nodes
    assert nodes == (0, 5)
    assert [surface.surface_of(seq) for seq in range(6)] == [CURRENT, SHADOWED, LOG_ONLY, SHADOWED, SHADOWED, CURRENT]
    assert replacements(surface, 1) == [4, 5]
    assert replacements(surface, 0) == []
    assert replaced(surface, 5) == [3, 4]


@pytest.mark.promise("SUR-2")
@pytest.mark.promise("SUR-5")
@pytest.mark.parametrize(
    ("type_", "replaces", "cites"),
    [
        (USER, (0, 9), (0,)),  # an end that does not exist
        (USER, (2, 2), (2,)),  # an end that was never on the surface
        (USER, (1, 1), (1,)),  # an end that was replaced before
        (USER, (3, 0), (0, 3, 5)),  # in the wrong order
        (USER, (0, 5), (0,)),  # one that is not cited
        (USER, None, (7,)),  # a citation of what is to come
        (USER, None, (-1,)),
        (USER, None, (0, 0)),
        (CALL, (0, 0), (0,)),  # never on the surface
        (CALL, None, (0,)),
        (RESULT, (0, 0), (0,)),  # a result in the place of a prompt
        (RESULT, (3, 4), (3, 4)),  # one in the place of two
    ],
)
def test_a_place_that_cannot_be_taken_is_refused_and_nothing_has_changed(
    type_: str, replaces: tuple[int, int] | None, cites: tuple[int, ...]
) -> None:
    steps: list[Step] = [
        (USER, None, ()), (ANSWER, None, ()), (CALL, None, ()), (RESULT, None, ()), (RESULT, None, ()),
        (ANSWER, (1, 1), (1,)),
    ]  # fmt: skip
    surface = fold(steps)
    before = surface.nodes, dict(surface.replaced_by), surface.generation, surface.next_seq
    with pytest.raises(SurfaceInvalid):
        surface.add(type_, replaces, cites)
    assert (surface.nodes, surface.replaced_by, surface.generation, surface.next_seq) == before
    assert surface.add(RESULT, (3, 3), (3,)) == (3,)  # the control
