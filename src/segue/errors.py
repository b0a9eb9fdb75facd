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
