"""Owns the plain MCP server that Segue's is held against: JSON, sqlite3 and one FTS5 table. Never more than that."""

from __future__ import annotations

import json
import sqlite3
import sys
from typing import Any

SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
TOOL = {"name": "session_search", "description": "Search earlier sessions.", "inputSchema": SCHEMA}


def search(store: sqlite3.Connection, query: str) -> str:
    """The best twenty texts that have any word of the query."""
    words = " OR ".join(f'"{word}"' for word in query.split())
    rows = store.execute(
        "SELECT rowid, snippet(t, 0, '', '', '…', 30) FROM t WHERE t MATCH ? ORDER BY rank LIMIT 20", (words,)
    )
    return "\n".join(f"{number}: {text}" for number, text in rows)


def answer(store: sqlite3.Connection, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of one request."""
    if method == "initialize":
        info = {"name": "bare", "version": "0"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": search(store, params["arguments"]["query"])}]}
    return {}


def main() -> None:
    """Serve standard input until it ends."""
    store = sqlite3.connect(sys.argv[1])
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = answer(store, message["method"], message.get("params", {}))
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
