-- Answers to requests, by the digest of everything they depend on. Never changed, only no longer asked for.
CREATE TABLE answer (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    body BYTEA NOT NULL,
    made BIGINT NOT NULL,
    asked BIGINT NOT NULL
);
CREATE INDEX answer_asked ON answer (asked);
