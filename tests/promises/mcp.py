"""What the MCP door promises."""

from tests.promises import Promise

PROMISES = [
    Promise("MCP-1", "The first messages of every host are answered as that host needs.", "hosts 8; issue 2.9"),
    Promise("MCP-2", "Every protocol version that hosts speak is spoken; others are told which.", "hosts 8; issue 2.9"),
    Promise(
        "MCP-3", "Whatever comes in, the answer is protocol, and the next message is answered.", "issue 2, bad input"
    ),
    Promise("MCP-4", "Every request gets its own id back, once; notifications get nothing.", "JSON-RPC 2.0"),
    Promise("MCP-5", "The tools' schemas are plain, their names short, their list small.", "user-pain P, corpus 7"),
    Promise("MCP-6", "A result stays within 10 KB, a cut is said, and reading can go on.", "hosts 8; I15"),
    Promise("MCP-7", "Hidden and nonexistent sessions answer alike, and no argument widens the scope.", "I11, I12"),
    Promise("MCP-8", "A host's hooks are served only where asked for, by a tool that no model sees.", "I14; hosts 2"),
    Promise("MCP-9", "What the server says of itself names only tools that exist.", "user-pain C20; hosts 1.9"),
    Promise("MCP-10", "The official client lists and calls every tool in each mode.", "issue 2.9"),
    Promise("MCP-11", "The server ends when its input ends, and when its parent is gone.", "user-pain D12; hosts 8"),
    Promise("MCP-12", "Nothing but protocol reaches stdout, whatever prints.", "user-pain J4"),
    Promise(
        "MCP-13", "A store that cannot be used is an error in a result; the handshake is answered.", "user-pain P11"
    ),
    Promise("MCP-14", "Requests that are sent without waiting are all answered.", "hosts 8"),
    Promise("MCP-15", "The running session is known once it is recorded, and left out of a search.", "hosts 2"),
    Promise("MCP-16", "Arguments that do not fit are named in an error result.", "issue 2, bad input"),
]
