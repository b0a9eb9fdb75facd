"""Owns showing and changing settings. Never applies one: the composition root reads them when a door opens."""

from __future__ import annotations

import os

from segue.config.settings import BY_NAME, FILE_NAME, MAX_CONFIG, check, read_file, shown
from segue.errors import ConfigInvalid, UsageError
from segue.model.codec import dumps
from segue.model.operation import FLAG, TEXT, Operation, Param
from segue.operations.render import table
from segue.system.files import ensure_private_dir, read_bytes_or_none, write_atomic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.ctx import Place


def run_config(place: Place, request: dict[str, Any]) -> dict[str, Any]:
    """Every setting with its value and source; or one; or one changed."""
    name, value = request.get("name"), request.get("value")
    path = os.path.join(place.data_dir, FILE_NAME)
    if name is not None and name not in BY_NAME:
        raise UsageError(f"there is no setting {name!r}", hint=f"Settings: {', '.join(BY_NAME)}.")
    if name is None and request.get("unset"):
        raise UsageError("--unset needs the name of a setting")
    if name is not None and (value is not None or request.get("unset")):
        checked = None if request.get("unset") else check(name, value)
        _change(path, name, checked)
        default = BY_NAME[name].default
        values = [
            {
                "name": name,
                "value": default if checked is None else checked,
                "source": "default" if checked is None else "file",
            }
        ]
    else:
        values = [v.as_dict() for v in place.values if name is None or v.name == name]
    told = [{**v, "value": shown(v["name"], v["value"]), "help": BY_NAME[v["name"]].help} for v in values]
    return {"file": path, "problem": place.problem if name is None else None, "settings": told}


def _change(path: str, name: str, value: str | int | None) -> None:
    if os.path.lexists(path) and not os.path.exists(path):
        raise ConfigInvalid(f"{path}: it is a link to what is not there", hint="Mend or delete that file.")
    data = read_bytes_or_none(path, MAX_CONFIG + 1)
    if data is not None and len(data) > MAX_CONFIG:
        raise ConfigInvalid(f"{path}: it has more than {MAX_CONFIG} bytes", hint="Mend or delete that file.")
    try:
        chosen = read_file(None if data is None else data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigInvalid(f"{path}: it is no UTF-8 text", hint="Mend or delete that file.") from error
    chosen.pop(name, None)
    if value is not None:
        chosen[name] = value
    ensure_private_dir(os.path.dirname(path))
    write_atomic(path, dumps(chosen).encode() + b"\n")


def text_config(data: dict[str, Any]) -> str:
    """Name, value, source; then what each does."""
    rows = [("setting", "value", "source")]
    rows += [(v["name"], str(v["value"]) or "(empty)", v["source"]) for v in data["settings"]]
    helps = [(v["name"], v["help"]) for v in data["settings"]]
    problem = f"\n\n{data['problem']}; every setting is at its default until then" if data["problem"] else ""
    return f"{table(rows)}\n\n{table(helps)}\n\nfile: {data['file']}{problem}"


CONFIG = Operation(
    name="config",
    help="show every setting with its value, source and effect, or change one",
    example="segue config brief off",
    params=(
        Param(name="name", kind=TEXT, help="the setting", positional=True),
        Param(name="value", kind=TEXT, help="its new value", positional=True),
        Param(name="unset", kind=FLAG, help="back to the default"),
    ),
    run=run_config,
    text=text_config,
    needs_store=False,
)
