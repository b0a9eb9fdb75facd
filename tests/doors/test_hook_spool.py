"""What a hook does where the spool is in the way or its time ends meanwhile, and who reads what it left there."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

from segue import app
from segue.ctx import open_context
from segue.errors import TooLate
from segue.model.operation import check
from segue.operations.registry import OPERATIONS
from segue.sessionlog.capture import clean
from tests.doors.test_hook import AS_NOBODY, ROOT, Home
from tests.places import header, prompt


@pytest.mark.promise("HOOK-10")
def test_a_spool_that_cannot_be_emptied_costs_no_record_and_doubles_none(open_folder: pathlib.Path) -> None:
    home = Home(open_folder / "home")
    home.tell("UserPromptSubmit", prompt="first")
    home.tell("UserPromptSubmit", prompt="long " * 3000, prompt_id="p2")
    spool = home.data / "spool"
    left = list(spool.iterdir())
    assert len(left) == 1
    for path in (home.data, *home.data.rglob("*")) if os.getuid() == 0 else ():
        os.chown(path, 65534, 65534)
    spool.chmod(0o555)
    for number in (3, 4):
        data = json.dumps({"session_id": "s1", "cwd": "/srv/proj", "prompt": f"no {number}", "prompt_id": f"p{number}"})
        free = str(open_folder / f"free {number}")
        words = [sys.executable, "-I", "-S", "-c", AS_NOBODY, str(ROOT / "src"), free, str(home.folder)]
        done = subprocess.run(words, env=home.env, input=data.encode(), capture_output=True, timeout=30, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    spool.chmod(0o755)
    assert [json.loads(body)["text"][:5] for _, body in home.events()] == ["first", "long ", "no 3", "no 4"]
    assert list(spool.iterdir()) == left


class Late(list[Any]):
    """Batches at whose first look the time is up."""

    def __iter__(self) -> Any:
        self.looks = getattr(self, "looks", 0) + 1
        if self.looks == 1:
            raise TooLate("now")
        return super().__iter__()


@pytest.mark.promise("HOOK-4")
def test_what_a_hook_was_spooling_when_its_time_was_up_is_spooled_all_the_same(home: Home) -> None:
    place = app.locate(home.env, str(home.project))
    noted: list[BaseException] = []
    batch = clean(header(), [prompt("waits")], place.policy, app.now(), app.nonce())
    app.keep(place, Late([batch]), noted.append)
    assert [type(error) for error in noted] == [TooLate]
    assert len(list((home.data / "spool").iterdir())) == 1


#: what reads the log, what it is asked, and what it then tells of a session whose only event waits in the spool
READS: list[tuple[str, dict[str, Any], str]] = [
    ("search", {"query": "zanzibar"}, "zanzibar"),
    ("show", {"id": "claude-code:s1"}, "zanzibar"),
    ("trace", {"id": "claude-code:s1#0"}, "zanzibar"),
    ("session_event_read", {"session_id": "claude-code:s1", "seq": 0}, "zanzibar"),
    ("brief", {}, "zanzibar"),
    ("status", {}, "all projects: 1 session, 1 event"),
]


@pytest.mark.promise("HOOK-15")
@pytest.mark.parametrize(("name", "asked", "told"), READS)
def test_a_large_payload_that_no_hook_follows_is_read_all_the_same(
    name: str, asked: dict[str, Any], told: str, home: Home
) -> None:
    home.tell("UserPromptSubmit", prompt="zanzibar " * 2000)
    assert len(list((home.data / "spool").iterdir())) == 1
    operation = next(one for one in OPERATIONS if one.name == name)
    ctx = open_context(app.locate(home.env, str(home.project)))
    request = check(operation.params, asked, person=operation.tool is None)
    assert told in operation.text(operation.run(ctx, request))
    assert list((home.data / "spool").iterdir()) == []
    ctx.store.close()
