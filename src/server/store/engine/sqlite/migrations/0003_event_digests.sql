-- Digests that another framework showed for an error (Next.js), which lead to its event too.
CREATE TABLE event_digests (
  project_id INTEGER NOT NULL,
  digest TEXT NOT NULL,
  event_id BLOB NOT NULL,
  PRIMARY KEY (project_id, digest, event_id)
) STRICT, WITHOUT ROWID;
