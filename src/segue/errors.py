"""Owns every exception that Segue raises. Never formats for a door: doors map `code` in one table."""

from __future__ import annotations


class SegueError(Exception):
    """Something went wrong in Segue."""

    code = "error"
    hint = "Run `segue doctor` to see what is wrong."

    def __init__(self, detail: str = "", *, hint: str | None = None) -> None:
        text = (self.__doc__ or "").split("\n", 1)[0].rstrip(".")
        super().__init__(f"{text}: {detail}" if detail else text)
        self.detail = detail
        if hint is not None:
            self.hint = hint


class UsageError(SegueError):
    """That is not a valid request."""

    code = "usage"
    hint = "See the command's --help for an example."


class NotFoundError(SegueError):
    """There is nothing here with that id."""

    code = "not_found"
    hint = "Ids are shown by `segue search`; other projects are only seen with --all."


class NotOwner(SegueError):
    """Only whose it is may do that."""

    code = "not_owner"
    hint = "A shared session is read by everyone in its project, and deleted, put aside or held by its owner alone."


class StoreUnavailable(SegueError):
    """The store cannot be read or written."""

    code = "store_unavailable"
    hint = "Check that its folder exists, is writable and has free space; `segue doctor` shows which one it is."


class StoreLocked(StoreUnavailable):
    """Another process holds the store for too long."""

    code = "store_locked"
    hint = "Try again; if it stays, end the hosts' sessions that write to it."


class StoreCorrupt(StoreUnavailable):
    """The store's file is damaged."""

    code = "store_corrupt"
    hint = "`segue doctor --fix` sets it aside and saves every session that still reads."


class StoreForeign(StoreUnavailable):
    """That database belongs to another program."""

    code = "store_foreign"
    hint = "Point SEGUE_STORE or SEGUE_HOME somewhere else; nothing was changed."


class StoreNewer(StoreUnavailable):
    """The store was written by a newer Segue."""

    code = "store_newer"
    hint = "Upgrade this Segue; nothing was changed."


class StoreOlder(StoreUnavailable):
    """The store was written by an older Segue and is not upgraded yet."""

    code = "store_older"
    hint = "Any command upgrades it, e.g. `segue status`; until then what hooks record waits in the spool."


class MigrationChanged(StoreUnavailable):
    """A migration in the store's ledger is not the one this Segue knows."""

    code = "migration_changed"
    hint = "The store was made by a different build; restore the backup beside it or use that build."


class DriverMissing(StoreUnavailable):
    """The PostgreSQL driver is not installed."""

    code = "driver_missing"
    hint = "Put it beside Segue, with the pip of the same environment: pip install 'psycopg[binary]'"


class ConfigInvalid(SegueError):
    """The configuration cannot be used."""

    code = "config_invalid"
    hint = "`segue config` lists every setting, its value and its source."


class AmbiguousId(SegueError):
    """More than one thing here has an id that begins so."""

    code = "ambiguous_id"
    hint = "Give more of the id."


class NoHome(SegueError):
    """There is no folder to keep anything in."""

    code = "no_home"
    hint = "Set SEGUE_HOME to a folder that you own."


class TooLate(SegueError):
    """The time that a hook may take is up."""

    code = "too_late"
    hint = "What could not be stored waits in the spool; `segue derive` moves it."


class FileUnwritable(SegueError):
    """A file cannot be read or written."""

    code = "file_unwritable"
    hint = "Check that it exists, belongs to you, and that the disk has room; nothing was changed."


class LockHeld(StoreLocked):
    """Another process holds the lock."""

    code = "lock_held"
    hint = "Try again; a lock whose holder died is free already."


class PayloadUnusable(SegueError):
    """A host's payload cannot be used."""

    code = "payload_unusable"
    hint = "The host may be of a release that Segue does not know."


class HostUnknown(UsageError):
    """There is no host of that name."""

    code = "host_unknown"


class HostFileUnusable(SegueError):
    """A host's settings file cannot be changed safely."""

    code = "host_file_unusable"
    hint = "Mend it by hand, then run `segue up` again; nothing was changed."


class SurfaceInvalid(UsageError):
    """An event cannot take that place on the surface."""

    code = "surface_invalid"
    hint = "A replacement names two events that the model sees now, the earlier place first, and cites all between."


class StaleWriter(SegueError):
    """The log was continued by another writer."""

    code = "stale_writer"
    hint = "Open the session anew: what the other one wrote comes first. Nothing of this batch was stored."


class LogCorrupt(SegueError):
    """A session's log is damaged."""

    code = "log_corrupt"
    hint = "Mend that line by hand or take a copy that holds; `segue verify FOLDER` checks it. Nothing was changed."

    def __init__(self, session_id: str, path: str, line: int, problem: str) -> None:
        super().__init__(f"{session_id} ({path}, line {line}): {problem}")
        self.session_id = session_id
        self.line = line
        self.problem = problem


class LogUnsupported(SegueError):
    """A session's log was written by a newer Segue."""

    code = "log_unsupported"
    hint = "Upgrade this Segue; nothing was changed."


class SessionHeld(SegueError):
    """Another process writes to this session."""

    code = "session_held"
    hint = "End that process, or fork the session to go on beside it."


class QueueFull(SegueError):
    """Too many events wait to be written, and writing fails."""

    code = "queue_full"
    hint = "Mend the store, then call flush(): nothing that was appended is lost while the process lives."


class NotJson(UsageError):
    """That is not JSON data."""

    code = "not_json"
    hint = "Use None, bool, int, finite float, str, list and dict with text as keys."


class OpenTurn(UsageError):
    """A turn is open at that event."""

    code = "open_turn"
    hint = "Fork at an event before its turn began or after it ended."


class SessionExists(UsageError):
    """There is a session by that id."""

    code = "session_exists"
    hint = "Resume it, or choose another id."


class SessionClosed(UsageError):
    """The session is closed."""

    code = "session_closed"
    hint = "Resume it to go on with it."


class SessionDeleted(UsageError):
    """A session by that name was deleted and does not come back."""

    code = "session_deleted"
    hint = "Choose another name."


class UndoUnreadable(SegueError):
    """The record of what `segue up` changed cannot be read."""

    code = "undo_unreadable"
    hint = "Move that file away: then `segue down` takes Segue's entries out of the hosts' files, and nothing else."
