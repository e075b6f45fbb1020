-- What a published board shows, as it was when it was published, packed. The keys of its evaluations are in board_entry.
CREATE TABLE board_content (
    board TEXT PRIMARY KEY REFERENCES board (id) ON DELETE CASCADE,
    body BYTEA NOT NULL
);
-- What an entry was called then: runs and benchmarks can be renamed and removed.
ALTER TABLE board_entry ADD COLUMN edition TEXT NOT NULL DEFAULT '';
ALTER TABLE board_entry ADD COLUMN benchmark TEXT NOT NULL DEFAULT '';
ALTER TABLE board_entry ADD COLUMN system TEXT NOT NULL DEFAULT '';
-- Who noted a suspicion, and when it was decided.
ALTER TABLE suspicion ADD COLUMN made_by TEXT;
ALTER TABLE suspicion ADD COLUMN judged BIGINT;
CREATE INDEX suspicion_document ON suspicion (edition, document);
