"""Owns the shapes of rule and policy, and what a policy says of paths. Never touches a file system."""

from __future__ import annotations

from segue.model.record import Record
from segue.redaction.screens import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

SECRET, EMAIL, PHONE, IP, PRIVATE = "secret", "email", "phone", "ip", "private"
MARKERS = {EMAIL: "[EMAIL]", PHONE: "[PHONE]", IP: "[IP]", PRIVATE: "[PRIVATE]"}


class Policy(Record):
    """Where the work happens: paths below `workspace` and `home` are rewritten, never destroyed."""

    workspace: str | None = None
    home: str | None = None


class Rule(Record):
    """One kind of thing that must not be stored, with an example that must vanish and one that must stay.

    `starts` are the lower-cased beginnings of all matches of `pattern`, if they can be told: it is tried only there.
    The group `secret` is what vanishes, or the whole match. `judge` looks at a match and may refuse it; `reach` says
    how far beyond its end more must vanish. A rule for assignments is tried only where the lower-cased place has one of
    the literals in `screen` and passes `sight`.
    """

    name: str
    klass: str
    pattern: str
    vanish: str
    stay: str
    sight: Callable[[str], bool] | None = None
    judge: Callable[[re.Match[str]], bool] | None = None
    reach: Callable[[str, int], int] | None = None
    starts: tuple[str, ...] = ()
    screen: tuple[str, ...] = ()

    @property
    def marker(self) -> str:
        """What stands in the place of a match."""
        return MARKERS.get(self.klass) or f"[REDACTED:{self.name}]"


def normalise(text: str, policy: Policy) -> str:
    """The text with the workspace's root written `[WORKSPACE]` and the home directory `~`, longer root first."""
    for probe, forms, name in _roots(policy.workspace, policy.home):
        if probe in text:
            for form in forms:
                text = _replace(text, form, name)
    return text


_known_roots: dict[tuple[str | None, str | None], list[tuple[str, list[str], str]]] = {}
MOST_ROOTS = 256


def _roots(workspace: str | None, home: str | None) -> list[tuple[str, list[str], str]]:
    """What a text must hold for a root to be in it, the forms in which it may be written, and its name."""
    known = _known_roots.get((workspace, home))
    if known is None:
        roots = [(root.rstrip("/\\"), name) for root, name in ((workspace, "[WORKSPACE]"), (home, "~")) if root]
        known = [
            ("" if root[1:2] == ":" else root.replace("\\", "/"), _forms(root), name)
            for root, name in sorted(roots, key=lambda pair: -len(pair[0]))
            if len(root) >= 4 and ("/" in root or "\\" in root)
        ]
        if len(_known_roots) > MOST_ROOTS:
            _known_roots.clear()
        _known_roots[workspace, home] = known
    return known


def _forms(root: str) -> list[str]:
    plain = root.replace("\\", "/")
    forms = [plain]
    if plain[1:2] == ":":
        forms += [
            plain.replace("/", "\\\\\\\\"),
            plain.replace("/", "\\\\"),
            plain.replace("/", "\\"),
            "/" + plain[0] + plain[2:],
        ]
        return [f"file:///{plain}", *forms]
    return [f"file://localhost{plain}", f"file://{plain}", *forms] if plain[0] == "/" else forms


def _replace(text: str, root: str, name: str) -> str:
    windows = root[1:2] == ":" or (root.startswith("file:///") and root[9:10] == ":")
    hay, needle = (fold(text), fold(root)) if windows else (text, root)
    at = hay.find(needle)
    if at < 0:
        return text
    parts, kept = [], 0
    while at >= 0:
        end = at + len(needle)
        if _stands_alone(text, at, end):
            parts += [text[kept:at], name]
            kept = end
        at = hay.find(needle, end)
    return "".join((*parts, text[kept:]))


def _stands_alone(text: str, at: int, end: int) -> bool:
    after, then = text[end : end + 1], text[end + 1 : end + 2]
    if after.isalnum() or after in ("_", "-") or (after == "." and (then.isalnum() or then == "_")):
        return False
    before = text[at - 1 : at]
    if not before or not (before.isalnum() or before in "_-." or before in "/~]"):
        return True
    return text[max(0, at - 2) : at] in ("\\n", "\\t", "\\r") or (
        before.isalpha() and text[max(0, at - 2) : at] in ("-I", "-L", "-C", "-B", "-S")
    )
