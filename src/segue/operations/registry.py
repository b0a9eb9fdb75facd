"""Owns the list of operations. A new one is a row here and a function beside its noun."""

from __future__ import annotations

from segue.operations import brief, config, demo, doctor, history, imports, install, keep, logs, search, tools, upkeep

OPERATIONS = (
    install.UP,
    install.DOWN,
    demo.DEMO,
    config.CONFIG,
    doctor.DOCTOR,
    search.SEARCH,
    history.SHOW,
    history.TRACE,
    brief.BRIEF,
    brief.WHY,
    imports.IMPORT,
    logs.EXPORT,
    *keep.KEEPING,
    upkeep.STATUS,
    upkeep.VERIFY,
    upkeep.DERIVE,
    upkeep.REBUILD,
    *tools.TOOLS,
)
