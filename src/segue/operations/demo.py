"""Owns the demonstration: recorded sessions in a throw-away store, then search, brief and why on them."""

from __future__ import annotations

import os
import tempfile

import segue.demo
from segue.ctx import open_context
from segue.model.operation import Operation
from segue.operations import brief, imports, search, upkeep
from segue.sessionlog.place import identify, policy_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.ctx import Place

#: where the recorded sessions took place
RECORDED_IN = "/home/dev/proj"
QUERY = "add function fix"


def run_demo(place: Place, request: dict[str, Any]) -> dict[str, Any]:
    """Play the recordings into a store that is deleted again; the user's own store is not touched."""
    with tempfile.TemporaryDirectory(prefix="segue-demo-") as folder:
        project = identify(RECORDED_IN, None, place.settings)
        there = place.replace(
            home=None,
            data_dir=folder,
            store_url="sqlite:///" + os.path.join(folder, "demo.db").removeprefix("/"),
            project=project,
            policy=policy_for(project, RECORDED_IN, None),
        )
        ctx = open_context(there)
        try:
            imported = imports.run_import(ctx, {"paths": (os.path.dirname(segue.demo.__file__),)})
            shown = brief.compose_shown(ctx, "demo")
            return {
                "import": imported,
                "status": upkeep.run_status(ctx, {}),
                "query": QUERY,
                "search": search.run_search(ctx, {"query": QUERY}),
                "brief": brief.run_brief(ctx, {}),
                "why": brief.run_why(ctx, {"id": shown}),
            }
        finally:
            ctx.store.close()


def text_demo(data: dict[str, Any]) -> str:
    """Each step with the command that shows it."""
    steps = (
        ("segue import   what the hosts had recorded", imports.text_import(data["import"])),
        ("segue status", upkeep.text_status(data["status"])),
        (f'segue search "{data["query"]}"', search.text_search(data["search"])),
        ("segue brief   what the next session here is given at its start", brief.text_brief(data["brief"])),
        ("segue why   each item with its reason", brief.text_why(data["why"])),
    )
    return (
        "\n\n".join(f"$ {title}\n{text}" for title, text in steps) + "\n\nThat was a throw-away store. Yours: segue up"
    )


DEMO = Operation(
    name="demo",
    help="play recorded sessions into a throw-away store and show search, brief and why on them",
    example="segue demo",
    params=(),
    run=run_demo,
    text=text_demo,
    needs_store=False,
)
