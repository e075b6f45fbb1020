-- Verification campaigns. Nothing is ever deleted but by the privacy commands. Ids are numbers that the store gives out in
-- blocks (`counter`, row `ids`), so that both databases do it alike. The log of a campaign is the audit, under `campaign ID`.
INSERT INTO counter (name, value, digest) VALUES ('ids', 0, '');

CREATE TABLE campaign (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    paused_in TEXT,
    paused_why TEXT,
    settings TEXT NOT NULL,
    seed BIGINT NOT NULL,
    base_digest TEXT NOT NULL,
    kb_digest TEXT NOT NULL,
    frozen TEXT,
    result TEXT,
    result_digest TEXT,
    left_out TEXT NOT NULL,
    assignments BIGINT NOT NULL,
    created BIGINT NOT NULL,
    opened BIGINT,
    closed BIGINT,
    version BIGINT NOT NULL
);
-- What people read: guidelines, consent. Each change is a new version; what somebody agreed to can be shown later.
CREATE TABLE campaign_page (
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    kind TEXT NOT NULL,
    version BIGINT NOT NULL,
    body TEXT NOT NULL,
    digest TEXT NOT NULL,
    made BIGINT NOT NULL,
    PRIMARY KEY (campaign, kind, version)
);
CREATE TABLE campaign_text (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    n BIGINT NOT NULL,
    document TEXT NOT NULL,
    dataset TEXT NOT NULL,
    span_start BIGINT NOT NULL,
    span_end BIGINT NOT NULL,
    words TEXT NOT NULL,
    UNIQUE (campaign, n)
);
CREATE TABLE item (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    n BIGINT NOT NULL,
    text BIGINT NOT NULL REFERENCES campaign_text (id),
    span_start BIGINT NOT NULL,
    span_end BIGINT NOT NULL,
    link TEXT NOT NULL,
    kind TEXT NOT NULL,
    stratum TEXT NOT NULL,
    probability DOUBLE PRECISION NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    outcome TEXT,
    UNIQUE (campaign, n)
);
CREATE INDEX item_text ON item (text);
CREATE TABLE proposal (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    item BIGINT NOT NULL REFERENCES item (id),
    source TEXT NOT NULL,
    spelled TEXT,
    confidence DOUBLE PRECISION
);
CREATE INDEX proposal_campaign ON proposal (campaign, id);
CREATE INDEX proposal_item ON proposal (item);
-- The right answer of a control or practice item.
CREATE TABLE item_key (
    item BIGINT PRIMARY KEY REFERENCES item (id),
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    actions TEXT NOT NULL,
    links TEXT NOT NULL,
    explanation TEXT NOT NULL,
    origin TEXT NOT NULL,
    state TEXT NOT NULL
);
CREATE INDEX item_key_campaign ON item_key (campaign, item);
CREATE TABLE task (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    n BIGINT NOT NULL,
    text BIGINT NOT NULL REFERENCES campaign_text (id),
    purpose TEXT NOT NULL,
    priority BIGINT NOT NULL,
    shuffle BIGINT NOT NULL,
    source TEXT,
    UNIQUE (campaign, n)
);
CREATE INDEX task_purpose ON task (campaign, purpose, shuffle);
CREATE TABLE task_item (
    task BIGINT NOT NULL REFERENCES task (id),
    place BIGINT NOT NULL,
    item BIGINT NOT NULL REFERENCES item (id),
    PRIMARY KEY (task, place)
);
CREATE INDEX task_item_item ON task_item (item);

-- Somebody in one campaign. The external id is encrypted; `known` is a keyed digest of it, to find it again.
CREATE TABLE worker (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    platform TEXT NOT NULL,
    external TEXT,
    known TEXT,
    pseudonym TEXT NOT NULL,
    person TEXT,
    state TEXT NOT NULL,
    consent_version BIGINT,
    consented BIGINT,
    locale TEXT NOT NULL,
    device TEXT NOT NULL,
    settings TEXT NOT NULL,
    made BIGINT NOT NULL,
    UNIQUE (campaign, platform, known),
    UNIQUE (campaign, pseudonym)
);
CREATE TABLE assignment (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    worker BIGINT NOT NULL REFERENCES worker (id),
    n BIGINT NOT NULL,
    platform TEXT NOT NULL,
    external TEXT,
    known TEXT,
    state TEXT NOT NULL,
    body TEXT NOT NULL,
    plan TEXT NOT NULL,
    given BIGINT NOT NULL,
    started BIGINT NOT NULL,
    finished BIGINT,
    code TEXT,
    UNIQUE (campaign, n),
    UNIQUE (campaign, platform, known)
);
CREATE INDEX assignment_worker ON assignment (worker, id);
CREATE INDEX assignment_finished ON assignment (campaign, finished);

-- The place of one judgement of a task. Slots that took the place of another have the same `place`, and all of them but
-- one are void.
CREATE TABLE slot (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    task BIGINT NOT NULL REFERENCES task (id),
    text BIGINT NOT NULL,
    purpose TEXT NOT NULL,
    place BIGINT NOT NULL,
    state TEXT NOT NULL,
    worker BIGINT,
    token TEXT,
    expires BIGINT,
    priority BIGINT NOT NULL,
    shuffle BIGINT NOT NULL
);
CREATE INDEX slot_open ON slot (campaign, state, priority, shuffle, id);
CREATE INDEX slot_expires ON slot (campaign, state, expires);
CREATE INDEX slot_worker ON slot (worker, state);
CREATE INDEX slot_task ON slot (task);
CREATE INDEX slot_place ON slot (place);
CREATE UNIQUE INDEX slot_place_taken ON slot (place) WHERE state <> 'void';
-- Every token that was ever given out.
CREATE TABLE lease (
    token TEXT PRIMARY KEY,
    slot BIGINT NOT NULL REFERENCES slot (id),
    worker BIGINT NOT NULL REFERENCES worker (id),
    assignment BIGINT NOT NULL REFERENCES assignment (id),
    n BIGINT NOT NULL,
    purpose TEXT NOT NULL,
    given BIGINT NOT NULL,
    submitted BIGINT
);
CREATE INDEX lease_assignment ON lease (assignment, n);
CREATE INDEX lease_worker ON lease (worker, given);
CREATE INDEX lease_slot ON lease (slot);
CREATE TABLE exposure (
    worker BIGINT NOT NULL REFERENCES worker (id),
    item BIGINT NOT NULL REFERENCES item (id),
    slot BIGINT NOT NULL REFERENCES slot (id),
    text BIGINT NOT NULL,
    shown BIGINT NOT NULL,
    PRIMARY KEY (worker, item)
);
CREATE INDEX exposure_text ON exposure (worker, text);

-- An answer. Those of one token with the highest revision count, unless they are surplus.
CREATE TABLE judgement (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    slot BIGINT NOT NULL REFERENCES slot (id),
    token TEXT NOT NULL REFERENCES lease (token),
    item BIGINT NOT NULL REFERENCES item (id),
    worker BIGINT NOT NULL REFERENCES worker (id),
    revision BIGINT NOT NULL,
    action TEXT NOT NULL,
    link TEXT,
    reason TEXT,
    confidence BIGINT,
    span_start BIGINT,
    span_end BIGINT,
    comment TEXT NOT NULL,
    active_ms BIGINT,
    total_ms BIGINT,
    changes BIGINT,
    searches BIGINT,
    counted SMALLINT NOT NULL,
    at BIGINT NOT NULL,
    UNIQUE (token, item, revision)
);
CREATE UNIQUE INDEX judgement_counted ON judgement (item, worker) WHERE counted = 1;
CREATE INDEX judgement_campaign ON judgement (campaign, id);
CREATE INDEX judgement_slot ON judgement (slot);
CREATE INDEX judgement_worker ON judgement (worker, id);
CREATE TABLE receipt (
    token TEXT NOT NULL REFERENCES lease (token),
    revision BIGINT NOT NULL,
    digest TEXT NOT NULL,
    body TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (token, revision)
);
-- What is said of a text beside the items: a missing mention, a bad text.
CREATE TABLE flag (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    worker BIGINT NOT NULL REFERENCES worker (id),
    slot BIGINT NOT NULL REFERENCES slot (id),
    text BIGINT NOT NULL REFERENCES campaign_text (id),
    kind TEXT NOT NULL,
    span_start BIGINT,
    span_end BIGINT,
    link TEXT,
    comment TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX flag_campaign ON flag (campaign, id);
CREATE TABLE decision (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    item BIGINT NOT NULL REFERENCES item (id),
    who TEXT NOT NULL,
    action TEXT,
    link TEXT,
    reason TEXT NOT NULL,
    note TEXT NOT NULL,
    supersedes BIGINT,
    at BIGINT NOT NULL
);
CREATE INDEX decision_item ON decision (item, id);
CREATE INDEX decision_campaign ON decision (campaign, id);
-- Invitation links: one for a person, or open to many.
CREATE TABLE campaign_link (
    id BIGINT PRIMARY KEY,
    campaign BIGINT NOT NULL REFERENCES campaign (id),
    digest TEXT NOT NULL UNIQUE,
    note TEXT NOT NULL,
    role TEXT NOT NULL,
    single SMALLINT NOT NULL,
    used BIGINT NOT NULL,
    made BIGINT NOT NULL,
    until BIGINT NOT NULL
);
CREATE INDEX campaign_link_campaign ON campaign_link (campaign, id);
-- Events that platforms sent, by their ids: each is done once.
CREATE TABLE hook_event (
    platform TEXT NOT NULL,
    event TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (platform, event)
);
