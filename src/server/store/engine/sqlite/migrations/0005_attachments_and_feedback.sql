-- Files that came with an event, or after it in an envelope of their own. Their event may come later, or never.
CREATE TABLE attachments (
  project_id INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  -- Counted within the event, from 1.
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  -- What the SDK says it is: event.attachment, event.view_hierarchy …
  kind TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  byte_count INTEGER NOT NULL,
  -- Bytes of the column data.
  stored_bytes INTEGER NOT NULL,
  -- The beginning of SHA-256 over the file: one that is sent twice is kept once.
  content_hash BLOB NOT NULL,
  -- One zstd frame. Last, so that listing an event's files reads no file.
  data BLOB NOT NULL,
  PRIMARY KEY (project_id, event_id, number)
) STRICT;

CREATE INDEX attachments_by_age ON attachments (project_id, received_at);

-- What a project's attachments take. Kept by triggers, so that whoever deletes attachments cannot forget it.
CREATE TABLE attachment_totals (
  project_id INTEGER NOT NULL PRIMARY KEY,
  stored_bytes INTEGER NOT NULL
) STRICT;

CREATE TRIGGER attachments_added AFTER INSERT ON attachments BEGIN
  INSERT INTO attachment_totals (project_id, stored_bytes) VALUES (NEW.project_id, NEW.stored_bytes)
  ON CONFLICT (project_id) DO UPDATE SET stored_bytes = attachment_totals.stored_bytes + excluded.stored_bytes;
END;

CREATE TRIGGER attachments_removed AFTER DELETE ON attachments BEGIN
  UPDATE attachment_totals SET stored_bytes = stored_bytes - OLD.stored_bytes WHERE project_id = OLD.project_id;
END;

-- What people wrote about an event, which may come later, or never.
CREATE TABLE event_feedback (
  project_id INTEGER NOT NULL,
  event_id BLOB NOT NULL,
  -- Feedback is an event of its own as well.
  feedback_id BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (project_id, event_id, feedback_id)
) STRICT, WITHOUT ROWID;

-- By the feedback itself, for deleting it with its event.
CREATE INDEX event_feedback_by_id ON event_feedback (project_id, feedback_id);
