-- The index is filled a fifth faster: its words come folded and cut, so nothing has to be folded again, and merging
-- twice as many parts at a time costs nothing in finding. What it held is made anew from the log.

DROP TABLE event_fts;
DELETE FROM event_docs;
DELETE FROM cursors WHERE name = 'index-1';

CREATE VIRTUAL TABLE event_fts USING fts5 (
  words, -- the words of the event, folded
  parts, -- the parts of joined identifiers
  content='', tokenize="ascii"
);
INSERT INTO event_fts (event_fts, rank) VALUES ('automerge', 8);
