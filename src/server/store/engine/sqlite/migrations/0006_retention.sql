-- Events of the issue whose rows retention has deleted: event_count goes on counting them.
ALTER TABLE issues ADD COLUMN expired_event_count INTEGER NOT NULL DEFAULT 0;

-- Retention walks blocks, oldest first, and asks which events each of them holds. Entries are appended.
CREATE INDEX events_of_block ON events (project_id, block_id);

CREATE INDEX event_digests_of_event ON event_digests (project_id, event_id);

-- Issues that are gone while rows counted under their ids are still being deleted: nobody may take such an id meanwhile.
CREATE TABLE expired_issues (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  expired_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, issue_id)
) STRICT, WITHOUT ROWID;

-- What retention deleted, so that a look-up can say so: the first 6 bytes of each event's id, one after another.
CREATE TABLE expired_digests (
  project_id INTEGER NOT NULL,
  -- Made from the time, like the ids of body blocks.
  id INTEGER NOT NULL,
  expired_at INTEGER NOT NULL,
  -- Which limit: age, count or bytes.
  reason TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  digests BLOB NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

-- Work that one process at a time does for all that have the file open.
CREATE TABLE leases (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
