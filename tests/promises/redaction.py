"""What redaction promises."""

from tests.promises import Promise

PROMISES = [
    Promise("RED-1", "Every rule's example vanishes behind its marker and its counterexample stays.", "issue 2, 4"),
    Promise(
        "RED-2",
        "Recall is at least 0.97, for provider tokens 0.99, with at most 1 false positive in 1,000 lines.",
        "issue 2, 4",
    ),
    Promise("RED-3", "Redacting what was redacted changes nothing, and no string makes it fail.", "design I5"),
    Promise(
        "RED-4",
        "Private tags fail closed: unclosed hides to the end, a lone closing tag hides all before it.",
        "issue 2, 4",
    ),
    Promise(
        "RED-5",
        "Workspace and home paths get a name and keep their rest; a longer name with the same start is not theirs.",
        "issue 2, 4",
    ),
    Promise("RED-6", "JSON data is redacted in values and keys, by key too, at any depth.", "design I5"),
    Promise("RED-7", "Ordinary text does not load `re`, and hostile text ends soon.", "issue 2, hook cost"),
    Promise("RED-11", "A kept pattern finds what a compiled one finds, and needs no `re`.", "issue 2, hook cost"),
    Promise("RED-12", "Kept patterns that are damaged, stale or foreign are not used.", "issue 2, hook cost"),
    Promise("RED-8", "Versions, local addresses, digests, references and prose stay as they are.", "issue 2, 4"),
    Promise(
        "RED-9",
        "What other texts held before changes nothing in how one is redacted; what is remembered is bounded.",
        "design I5, I18",
    ),
    Promise("RED-10", "A rule that is tried only at its beginnings misses no match.", "issue 2, 4"),
]
