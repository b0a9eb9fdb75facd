"""The rules of redaction, a table a module: what is framed, provider tokens, assignments, people and machines."""
