-- The shape of every database that urlglean writes: by `scan -o FILE.db` and by `catalog`.
--
--     runs ─┬─ copies ─┬─ places
--           │          └─ findings ─┬─ urls
--     documents ───────┘            └─ readings, joins, problems, settled_by, own_readings
--
-- Offsets are half-open, in code points, except `offset` and `length`, which are octets. Absent is NULL, empty is ''.
-- Lists of strings (newsgroups, cautions) are JSON arrays.

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    version TEXT NOT NULL,        -- of urlglean
    options TEXT NOT NULL,        -- JSON: all on which the findings depend, besides the documents
    folder TEXT,                  -- to which relative paths of its places belong; NULL: it was given none
    started TEXT NOT NULL,        -- ISO 8601, UTC
    ended TEXT,                   -- NULL: the run goes on, or was interrupted
    files INTEGER NOT NULL DEFAULT 0,
    messages INTEGER NOT NULL DEFAULT 0,
    texts INTEGER NOT NULL DEFAULT 0,
    octets INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0    -- files and folders that were left out
);

-- A message, a text or a page. All copies of one Message-ID are one document: cross-posts, and what a list sent to
-- several of its members. What has no Message-ID is the same document if its octets are the same. The values are those
-- of the first copy, at the first place.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,        -- the Message-ID as <...>, or the digest of the first copy
    kind TEXT NOT NULL,                   -- message, text, html
    path TEXT NOT NULL,
    member TEXT,
    "offset" INTEGER NOT NULL,
    length INTEGER NOT NULL,
    digest TEXT NOT NULL,
    message_id TEXT,
    date TEXT,
    sender TEXT,
    subject TEXT,
    newsgroups TEXT
);

-- Octets that were read: each different copy of a document, once, wherever and however often it lies.
CREATE TABLE copies (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents (id),
    digest TEXT NOT NULL UNIQUE,          -- of the octets without the frame of their file, and of the kind
    run INTEGER NOT NULL REFERENCES runs (id), -- that read it
    message_id TEXT,
    date TEXT,
    sender TEXT,
    subject TEXT,
    newsgroups TEXT
);
CREATE INDEX copies_document ON copies (document);

-- Where a copy lies. A text that is read in windows has a copy and a place for each. Two copies have one place as
-- long as the file, which has changed, could not be read to its end, or if an archive has two members of one name.
CREATE TABLE places (
    id INTEGER PRIMARY KEY,
    copy INTEGER NOT NULL REFERENCES copies (id),
    path TEXT NOT NULL,
    member TEXT,
    "offset" INTEGER NOT NULL,
    length INTEGER NOT NULL,
    message INTEGER,
    "window" INTEGER NOT NULL,            -- the first code point of the window; 0 if there is but one
    run INTEGER NOT NULL REFERENCES runs (id)  -- the last that saw it there
);
CREATE UNIQUE INDEX places_where ON places (path, ifnull(member, ''), "offset", "window", copy);
CREATE INDEX places_copy ON places (copy, run);

CREATE TABLE urls (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    scheme TEXT,
    host TEXT,
    domain TEXT,                          -- the registered domain, by the Public Suffix List
    surt TEXT,                            -- the sort-friendly key by which web archives look it up
    href TEXT,                            -- as a browser writes it (URL Standard 4.5); NULL if browsers refuse it
    first_date TEXT,                      -- of the documents that hold it
    last_date TEXT,
    documents INTEGER NOT NULL DEFAULT 0  -- how many hold it
);
CREATE INDEX urls_host ON urls (host);
CREATE INDEX urls_domain ON urls (domain);
CREATE INDEX urls_surt ON urls (surt);
CREATE INDEX urls_href ON urls (href);

CREATE TABLE findings (
    id INTEGER PRIMARY KEY,
    url INTEGER NOT NULL REFERENCES urls (id),
    document INTEGER NOT NULL REFERENCES documents (id),
    copy INTEGER NOT NULL REFERENCES copies (id),
    part TEXT,
    field TEXT,
    label TEXT,                           -- of a link in HTML: its text
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    line INTEGER NOT NULL,
    wrapper TEXT NOT NULL,
    certainty TEXT NOT NULL,
    confidence REAL NOT NULL,
    valid INTEGER NOT NULL,
    cautions TEXT NOT NULL,
    settled INTEGER                       -- how many other documents settled the reading; NULL: it is the reader's own
);
CREATE INDEX findings_url ON findings (url, document);
CREATE INDEX findings_document ON findings (document);
CREATE INDEX findings_copy ON findings (copy);

-- The other readings of a finding, best first.
CREATE TABLE readings (
    finding INTEGER NOT NULL REFERENCES findings (id),
    position INTEGER NOT NULL,
    url TEXT NOT NULL,
    confidence REAL NOT NULL,
    PRIMARY KEY (finding, position)
) WITHOUT ROWID;

-- What was taken out of a finding that was broken, in the order of its text.
CREATE TABLE joins (
    finding INTEGER NOT NULL REFERENCES findings (id),
    position INTEGER NOT NULL,
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    rule TEXT NOT NULL,
    PRIMARY KEY (finding, position)
) WITHOUT ROWID;

-- What is wrong with a finding that is not valid; the places are those in its URL.
CREATE TABLE problems (
    finding INTEGER NOT NULL REFERENCES findings (id),
    position INTEGER NOT NULL,
    code TEXT NOT NULL,
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    rule TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (finding, position)
) WITHOUT ROWID;

-- Documents in which the reading of a settled finding stands whole: the first ones, by date.
CREATE TABLE settled_by (
    finding INTEGER NOT NULL REFERENCES findings (id),
    position INTEGER NOT NULL,
    document INTEGER NOT NULL REFERENCES documents (id),
    PRIMARY KEY (finding, position)
) WITHOUT ROWID;

-- What the reader itself made of a finding that is settled. `settle` begins anew from here when the catalogue has grown.
-- If the collection chose another reading, `joins` has none: where the breaks lie is known of the reader's own alone.
CREATE TABLE own_readings (
    finding INTEGER PRIMARY KEY REFERENCES findings,
    url INTEGER NOT NULL REFERENCES urls, -- it may have no other finding; its `documents` are 0 then
    confidence REAL NOT NULL,
    cautions TEXT NOT NULL,
    readings TEXT NOT NULL,               -- JSON: [[url, confidence], ...], best first
    joins TEXT NOT NULL                   -- JSON: [[start, end, rule], ...]
);
CREATE INDEX own_readings_url ON own_readings (url);

-- What looked like a URL but was not taken for one. `problems` is a JSON array of objects.
CREATE TABLE rejects (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    copy INTEGER NOT NULL REFERENCES copies (id),
    part TEXT,
    field TEXT,
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    line INTEGER NOT NULL,
    wrapper TEXT NOT NULL,
    problems TEXT NOT NULL
);
CREATE INDEX rejects_copy ON rejects (copy);

-- What could not be read completely.
CREATE TABLE troubles (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (id), -- the last that met it
    path TEXT NOT NULL,
    member TEXT,
    message INTEGER,
    copy INTEGER REFERENCES copies (id),       -- that was read but for this; NULL: no copy was
    cause TEXT NOT NULL
);
CREATE UNIQUE INDEX troubles_where ON troubles (path, ifnull(member, ''), ifnull(message, 0), cause);
CREATE INDEX troubles_copy ON troubles (copy);

-- Datasette and sqlite-utils find an index by `content="..."`, written so.
CREATE VIRTUAL TABLE urls_fts USING fts5 (url, content="urls", content_rowid="id");
CREATE VIRTUAL TABLE documents_fts USING fts5 (subject, content="documents", content_rowid="id");

-- The columns of all other formats, a row for each finding at each of its places.
CREATE VIEW rows AS
SELECT
    urls.url, urls.scheme, urls.host,
    findings.wrapper, findings.certainty, findings.confidence, findings.valid,
    (SELECT json_group_array(url) FROM (SELECT url FROM readings WHERE finding = findings.id ORDER BY position))
        AS rivals,
    (SELECT json_group_array(json_object('code', code, 'start', "start", 'end', "end", 'rule', rule, 'message', message))
        FROM (SELECT * FROM problems WHERE finding = findings.id ORDER BY position)) AS problems,
    findings.cautions, findings."start", findings."end", findings.line,
    places.path, places.member, places."offset", places.message,
    copies.message_id, copies.date, copies.sender, copies.subject, copies.newsgroups,
    findings.part, findings.field, findings.label
FROM findings
    JOIN urls ON urls.id = findings.url
    JOIN copies ON copies.id = findings.copy
    JOIN places ON places.copy = copies.id;
