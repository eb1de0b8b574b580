-- What the rows of a project take: retention decides by it which project gives up space. Kept by triggers, so that every
-- statement that changes those rows counts. Attachments have a total of their own, `attachment_totals`.
CREATE TABLE project_bytes (
  project_id INTEGER NOT NULL PRIMARY KEY,
  -- Events with a payload in `body_blocks`, and the bytes of those blocks as they are stored.
  event_count INTEGER NOT NULL DEFAULT 0,
  event_bytes INTEGER NOT NULL DEFAULT 0,
  -- Envelopes on their way to upstreams, as they are stored.
  outbox_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO project_bytes (project_id, event_count, event_bytes, outbox_bytes)
SELECT project_id, sum(events), sum(stored), sum(queued) FROM (
  SELECT project_id, event_count AS events, length(data) AS stored, 0 AS queued FROM body_blocks
  UNION ALL
  SELECT project_id, 0, 0, length(data) FROM outbox_blocks
  UNION ALL
  SELECT project_id, 0, 0, length(body) FROM outbox WHERE length(body) > 0
) GROUP BY project_id;

-- The lengths are asked of the table: NEW.data and OLD.data would read the whole blob, which takes 0.5 ms for a large block.
CREATE TRIGGER body_blocks_added AFTER INSERT ON body_blocks BEGIN
  INSERT INTO project_bytes (project_id, event_count, event_bytes)
  SELECT project_id, event_count, length(data) FROM body_blocks WHERE rowid = NEW.rowid
  ON CONFLICT (project_id) DO UPDATE SET
    event_count = project_bytes.event_count + excluded.event_count,
    event_bytes = project_bytes.event_bytes + excluded.event_bytes;
END;

CREATE TRIGGER body_blocks_counted AFTER UPDATE OF event_count ON body_blocks BEGIN
  UPDATE project_bytes SET event_count = event_count + NEW.event_count - OLD.event_count
  WHERE project_id = NEW.project_id;
END;

CREATE TRIGGER body_blocks_changed AFTER UPDATE OF data ON body_blocks BEGIN
  UPDATE project_bytes SET event_bytes = event_bytes + length(NEW.data) - length(OLD.data)
  WHERE project_id = NEW.project_id;
END;

CREATE TRIGGER body_blocks_removed BEFORE DELETE ON body_blocks BEGIN
  UPDATE project_bytes SET
    event_count = event_count - OLD.event_count,
    event_bytes = event_bytes - (SELECT length(data) FROM body_blocks WHERE rowid = OLD.rowid)
  WHERE project_id = OLD.project_id;
END;

CREATE TRIGGER outbox_blocks_added AFTER INSERT ON outbox_blocks BEGIN
  INSERT INTO project_bytes (project_id, outbox_bytes)
  SELECT project_id, length(data) FROM outbox_blocks WHERE rowid = NEW.rowid
  ON CONFLICT (project_id) DO UPDATE SET outbox_bytes = project_bytes.outbox_bytes + excluded.outbox_bytes;
END;

CREATE TRIGGER outbox_blocks_changed AFTER UPDATE OF data ON outbox_blocks BEGIN
  UPDATE project_bytes SET outbox_bytes = outbox_bytes + length(NEW.data) - length(OLD.data)
  WHERE project_id = NEW.project_id;
END;

CREATE TRIGGER outbox_blocks_dropped BEFORE DELETE ON outbox_blocks BEGIN
  UPDATE project_bytes SET
    outbox_bytes = outbox_bytes - (SELECT length(data) FROM outbox_blocks WHERE rowid = OLD.rowid)
  WHERE project_id = OLD.project_id;
END;

-- An envelope that is in no block has its bytes in its own row: a refused one, say.
CREATE TRIGGER outbox_body_added AFTER INSERT ON outbox WHEN NEW.block_number IS NULL BEGIN
  INSERT INTO project_bytes (project_id, outbox_bytes)
  SELECT project_id, length(body) FROM outbox WHERE rowid = NEW.rowid
  ON CONFLICT (project_id) DO UPDATE SET outbox_bytes = project_bytes.outbox_bytes + excluded.outbox_bytes;
END;

CREATE TRIGGER outbox_body_changed AFTER UPDATE OF body ON outbox WHEN length(NEW.body) <> length(OLD.body) BEGIN
  UPDATE project_bytes SET outbox_bytes = outbox_bytes + length(NEW.body) - length(OLD.body)
  WHERE project_id = NEW.project_id;
END;

CREATE TRIGGER outbox_body_removed BEFORE DELETE ON outbox WHEN OLD.block_number IS NULL BEGIN
  UPDATE project_bytes SET outbox_bytes = outbox_bytes - (SELECT length(body) FROM outbox WHERE rowid = OLD.rowid)
  WHERE project_id = OLD.project_id;
END;
