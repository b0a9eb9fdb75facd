"""Owns the dispatch to a door: hook, mcp, else the command line. Never imports a door that is not asked for."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from typing import NoReturn


class ShortWay:
    """Finds Segue's modules where they lie, by one look at a file instead of lists of folders (decision 0009).

    They are loaded as Python loads any module. What is not there as a source file is left to Python's own finders.
    """

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, _target: object = None) -> ModuleSpec | None:
        """Where the module is; None for what is not Segue's, or is no source file here."""
        if not path or not name.startswith("segue."):
            return None
        import os

        try:
            from _frozen_importlib_external import SourceFileLoader, spec_from_file_location
        except ImportError:
            return None
        base = path[0] + os.sep + name.rpartition(".")[2]
        file, inner = f"{base}.py", None
        if not os.path.isfile(file):
            file, inner = f"{base}{os.sep}__init__.py", [base]
            if not os.path.isfile(file):
                return None
        loader = SourceFileLoader(name, file)
        return spec_from_file_location(name, file, loader=loader, submodule_search_locations=inner)


def main(args: list[str] | None = None) -> int:
    """Run `segue ARGS`; the exit code."""
    words = sys.argv[1:] if args is None else args
    if words[:1] == ["hook"]:
        import gc

        gc.disable()  # a hook ends before a collection could pay for itself
        sys.meta_path.insert(0, ShortWay)
        from segue import hook

        return hook.main(words[1:])
    if words[:1] == ["mcp"] and "-h" not in words and "--help" not in words:
        from segue import mcp

        return mcp.main(words[1:])
    from segue import cli

    return cli.main(words)


def run() -> NoReturn:
    """Run this process's command and end it: a hook at once, everything else as Python ends (decision 0009)."""
    code = main()
    if sys.argv[1:2] == ["hook"]:
        import os

        os._exit(0)
    sys.exit(code)


if __name__ == "__main__":
    run()
