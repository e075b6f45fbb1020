-- The first schema. One text for SQLite and PostgreSQL; never edited after a release.
-- Ids are text that we make, times are milliseconds since 1970, flags are 0 or 1, JSON is text.

-- Rows that a transaction updates first, so that others with the same need wait for it.
-- The row of the audit also knows the last entry: its number and its digest.
CREATE TABLE counter (
    name TEXT PRIMARY KEY,
    value BIGINT NOT NULL,
    digest TEXT NOT NULL
);
INSERT INTO counter (name, value, digest) VALUES ('files', 0, ''), ('queue', 0, ''), ('audit', 0, '');

-- Bytes named by their SHA-256, in pieces of 1 MiB. A file without a digest is being written.
CREATE TABLE file (
    id TEXT PRIMARY KEY,
    digest TEXT UNIQUE,
    length BIGINT NOT NULL,
    pieces BIGINT NOT NULL,
    made BIGINT NOT NULL
);
CREATE INDEX file_made ON file (made);
CREATE TABLE piece (
    file TEXT NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    n BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (file, n)
);
-- Where part n of a framed file lies: the frame in the file, and the part in the open frame.
CREATE TABLE part (
    file TEXT NOT NULL REFERENCES file (digest) ON DELETE CASCADE,
    n BIGINT NOT NULL,
    frame BIGINT NOT NULL,
    frame_length BIGINT NOT NULL,
    skip BIGINT NOT NULL,
    length BIGINT NOT NULL,
    PRIMARY KEY (file, n)
);

CREATE TABLE person (
    id TEXT PRIMARY KEY,
    login TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    hash TEXT,
    disabled SMALLINT NOT NULL,
    made BIGINT NOT NULL,
    version BIGINT NOT NULL
);
CREATE TABLE person_right (
    person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    object TEXT NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (person, object)
);
CREATE TABLE session (
    digest TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    agent TEXT NOT NULL,
    made BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    until BIGINT NOT NULL
);
CREATE INDEX session_person ON session (person);
CREATE INDEX session_until ON session (until);
CREATE TABLE token (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    made BIGINT NOT NULL,
    until BIGINT NOT NULL,
    used BIGINT
);
CREATE INDEX token_person ON token (person);
CREATE TABLE invitation (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    object TEXT NOT NULL,
    role TEXT NOT NULL,
    note TEXT NOT NULL,
    sent_by TEXT,
    made BIGINT NOT NULL,
    until BIGINT NOT NULL,
    taken_by TEXT,
    taken BIGINT
);

CREATE TABLE corpus (
    digest TEXT PRIMARY KEY,
    side TEXT NOT NULL,
    upload TEXT REFERENCES file (digest),
    content TEXT NOT NULL REFERENCES file (digest),
    format TEXT NOT NULL,
    documents BIGINT NOT NULL,
    annotations BIGINT NOT NULL,
    linked BIGINT NOT NULL,
    nil BIGINT NOT NULL,
    findings TEXT NOT NULL,
    made BIGINT NOT NULL
);
CREATE INDEX corpus_content ON corpus (content);
CREATE INDEX corpus_upload ON corpus (upload);
CREATE TABLE document (
    corpus TEXT NOT NULL REFERENCES corpus (digest) ON DELETE CASCADE,
    n BIGINT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    characters BIGINT NOT NULL,
    mentions BIGINT NOT NULL,
    PRIMARY KEY (corpus, n)
);
CREATE INDEX document_name ON document (corpus, name);

CREATE TABLE benchmark (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    about TEXT NOT NULL,
    licence TEXT NOT NULL,
    link TEXT NOT NULL,
    visible SMALLINT NOT NULL,
    gold_hidden SMALLINT NOT NULL,
    made BIGINT NOT NULL,
    removed BIGINT,
    version BIGINT NOT NULL
);
CREATE INDEX benchmark_removed ON benchmark (removed);
CREATE TABLE edition (
    id TEXT PRIMARY KEY,
    benchmark TEXT NOT NULL REFERENCES benchmark (id) ON DELETE CASCADE,
    corpus TEXT REFERENCES corpus (digest),
    upload TEXT REFERENCES file (digest),
    job TEXT,
    label TEXT NOT NULL,
    note TEXT NOT NULL,
    follows TEXT,
    made BIGINT NOT NULL,
    UNIQUE (benchmark, label)
);
CREATE INDEX edition_corpus ON edition (corpus);
CREATE INDEX edition_upload ON edition (upload);
CREATE INDEX edition_job ON edition (job);

CREATE TABLE system (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    about TEXT NOT NULL,
    link TEXT NOT NULL,
    owner TEXT REFERENCES person (id) ON DELETE SET NULL,
    deprecated SMALLINT NOT NULL,
    made BIGINT NOT NULL,
    removed BIGINT,
    version BIGINT NOT NULL
);
CREATE INDEX system_removed ON system (removed);
CREATE TABLE run (
    id TEXT PRIMARY KEY,
    system TEXT NOT NULL REFERENCES system (id) ON DELETE CASCADE,
    edition TEXT NOT NULL REFERENCES edition (id) ON DELETE CASCADE,
    corpus TEXT REFERENCES corpus (digest),
    upload TEXT REFERENCES file (digest),
    job TEXT,
    label TEXT NOT NULL,
    note TEXT NOT NULL,
    sent_by TEXT,
    sent BIGINT NOT NULL,
    seconds DOUBLE PRECISION,
    machine TEXT NOT NULL,
    visible SMALLINT NOT NULL,
    removed BIGINT,
    version BIGINT NOT NULL
);
CREATE INDEX run_system ON run (system, sent, id);
CREATE INDEX run_edition ON run (edition, sent, id);
CREATE INDEX run_sent ON run (sent, id);
CREATE INDEX run_corpus ON run (corpus);
CREATE INDEX run_upload ON run (upload);
CREATE INDEX run_job ON run (job);
CREATE INDEX run_removed ON run (removed);

-- An evaluation belongs to two corpora and not to a run: whoever sends the same output again has
-- the same evaluation.
CREATE TABLE evaluation (
    key TEXT PRIMARY KEY,
    gold TEXT NOT NULL REFERENCES corpus (digest),
    answers TEXT NOT NULL REFERENCES corpus (digest),
    convention TEXT NOT NULL,
    kb TEXT NOT NULL,
    engine TEXT NOT NULL,
    state TEXT NOT NULL,
    problem TEXT,
    took BIGINT NOT NULL,
    made BIGINT NOT NULL,
    asked BIGINT NOT NULL,
    counts TEXT REFERENCES file (digest),
    cases TEXT REFERENCES file (digest),
    body TEXT NOT NULL,
    UNIQUE (gold, answers, convention, kb, engine)
);
CREATE INDEX evaluation_answers ON evaluation (answers);
CREATE INDEX evaluation_asked ON evaluation (asked);
CREATE INDEX evaluation_counts ON evaluation (counts);
CREATE INDEX evaluation_cases ON evaluation (cases);
CREATE TABLE score (
    evaluation TEXT NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
    measure TEXT NOT NULL,
    facet TEXT NOT NULL,
    label TEXT NOT NULL,
    tp BIGINT,
    fp BIGINT,
    fn BIGINT,
    precision DOUBLE PRECISION,
    recall DOUBLE PRECISION,
    f1 DOUBLE PRECISION,
    value DOUBLE PRECISION,
    low DOUBLE PRECISION,
    high DOUBLE PRECISION,
    PRIMARY KEY (evaluation, measure, facet, label)
);
CREATE TABLE tally (
    evaluation TEXT NOT NULL REFERENCES evaluation (key) ON DELETE CASCADE,
    document BIGINT NOT NULL,
    label TEXT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (evaluation, label, document)
);
CREATE TABLE comparison (
    key TEXT PRIMARY KEY,
    evaluations TEXT NOT NULL,
    settings TEXT NOT NULL,
    made BIGINT NOT NULL,
    asked BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX comparison_asked ON comparison (asked);

CREATE TABLE board (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    about TEXT NOT NULL,
    query TEXT NOT NULL,
    published BIGINT,
    made BIGINT NOT NULL,
    removed BIGINT,
    version BIGINT NOT NULL
);
CREATE INDEX board_removed ON board (removed);
-- What a published board is frozen to.
CREATE TABLE board_entry (
    board TEXT NOT NULL REFERENCES board (id) ON DELETE CASCADE,
    n BIGINT NOT NULL,
    run TEXT NOT NULL,
    evaluation TEXT NOT NULL REFERENCES evaluation (key),
    PRIMARY KEY (board, n)
);
CREATE INDEX board_entry_evaluation ON board_entry (evaluation);
CREATE TABLE convention (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    made BIGINT NOT NULL,
    version BIGINT NOT NULL
);
CREATE TABLE suspicion (
    id TEXT PRIMARY KEY,
    edition TEXT NOT NULL REFERENCES edition (id) ON DELETE CASCADE,
    document BIGINT NOT NULL,
    span_start BIGINT NOT NULL,
    span_end BIGINT NOT NULL,
    gold TEXT NOT NULL,
    proposed TEXT NOT NULL,
    agree TEXT NOT NULL,
    differ TEXT NOT NULL,
    weight BIGINT NOT NULL,
    state TEXT NOT NULL,
    note TEXT NOT NULL,
    judged_by TEXT,
    made BIGINT NOT NULL,
    version BIGINT NOT NULL,
    UNIQUE (edition, document, span_start, span_end, gold, proposed)
);
CREATE INDEX suspicion_rank ON suspicion (edition, state, weight, id);

CREATE TABLE job (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    stage TEXT NOT NULL,
    done BIGINT NOT NULL,
    total BIGINT NOT NULL,
    lease BIGINT,
    holder TEXT,
    attempts BIGINT NOT NULL,
    cancel SMALLINT NOT NULL,
    input TEXT NOT NULL,
    problem TEXT,
    result TEXT,
    person TEXT,
    made BIGINT NOT NULL,
    ended BIGINT,
    version BIGINT NOT NULL
);
CREATE INDEX job_state ON job (state, made, id);
CREATE INDEX job_lease ON job (state, lease);
CREATE INDEX job_person ON job (person, state);
CREATE INDEX job_made ON job (made, id);

CREATE TABLE audit (
    seq BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    who TEXT NOT NULL,
    via TEXT NOT NULL,
    act TEXT NOT NULL,
    object TEXT NOT NULL,
    detail TEXT NOT NULL,
    before TEXT NOT NULL
);
CREATE INDEX audit_object ON audit (object, seq);
CREATE TABLE idempotency (
    who TEXT NOT NULL,
    key TEXT NOT NULL,
    request TEXT NOT NULL,
    status BIGINT,
    body TEXT NOT NULL,
    began BIGINT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (who, key)
);
CREATE INDEX idempotency_until ON idempotency (until);
