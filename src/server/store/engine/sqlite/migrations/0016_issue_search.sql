-- What the stream is searched and sorted by. issue_words() is this program's (issue-text.ts).

-- What the latest event says beyond title, subtitle and culprit: its message, further lines, the causes.
ALTER TABLE issues ADD COLUMN message TEXT;
-- Of the texts that issue_texts has words of: those of an issue change more often than they need to be found by.
ALTER TABLE issues ADD COLUMN text_hash INTEGER;

-- The words of each issue, under its id. The texts themselves stand in issues.
CREATE VIRTUAL TABLE issue_texts USING fts5 (
  title, value, culprit, message, content = '', contentless_delete = 1, tokenize = 'unicode61'
);

INSERT INTO issue_texts (rowid, title, value, culprit, message)
SELECT id, issue_words(title), issue_words(subtitle), issue_words(culprit), '' FROM issues;

-- Whoever deletes an issue cannot forget its words.
CREATE TRIGGER issues_removed AFTER DELETE ON issues BEGIN
  DELETE FROM issue_texts WHERE rowid = OLD.id;
END;

-- From words to issues.
CREATE INDEX issues_by_id ON issues (id);

-- Binary logarithms of the events of an issue, each counted half as much after a day (fast) or after a week (slow); see
-- issue-trend.ts. They grow with the calendar, so that none has to be brought up to date while time passes.
ALTER TABLE issues ADD COLUMN trend_fast REAL NOT NULL DEFAULT 0;
ALTER TABLE issues ADD COLUMN trend_slow REAL NOT NULL DEFAULT 0;
-- What is sorted by: made of both.
ALTER TABLE issues ADD COLUMN trend INTEGER NOT NULL DEFAULT 0;

UPDATE issues SET trend_fast = t.fast, trend_slow = t.slow, trend = round((3 * t.fast - 2 * t.slow) * 1000)
FROM (
  SELECT h.project_id, h.issue_id,
    log2(sum(h.event_count * pow(2, (h.hour - l.hour) / 86400000.0))) + l.hour / 86400000.0 AS fast,
    log2(sum(h.event_count * pow(2, (h.hour - l.hour) / 604800000.0))) + l.hour / 604800000.0 AS slow
  FROM issue_hours h
  JOIN (SELECT project_id, issue_id, max(hour) AS hour FROM issue_hours GROUP BY project_id, issue_id) l
    ON l.project_id = h.project_id AND l.issue_id = h.issue_id
  GROUP BY h.project_id, h.issue_id
) t
WHERE t.project_id = issues.project_id AND t.issue_id = issues.id;

CREATE INDEX issues_project_trend ON issues (project_id, status, trend, id);
CREATE INDEX issues_trend ON issues (status, trend, id);

-- Searches that people keep: an organization's where it is shared, else its maker's alone.
CREATE TABLE saved_searches (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  organization_id INTEGER REFERENCES organizations (id),
  name TEXT NOT NULL,
  -- JSON: what stands in the address of the stream.
  search TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX saved_searches_user ON saved_searches (user_id);
CREATE INDEX saved_searches_shared ON saved_searches (organization_id) WHERE organization_id IS NOT NULL;

-- The search that the stream begins with.
CREATE TABLE default_searches (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  search_id TEXT NOT NULL REFERENCES saved_searches (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX default_searches_search ON default_searches (search_id);
