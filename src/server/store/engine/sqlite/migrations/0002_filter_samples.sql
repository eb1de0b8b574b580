-- The newest of what each filter dropped, a few a day: enough to see what a rule does.
CREATE TABLE filter_samples (
  project_id INTEGER NOT NULL,
  reason TEXT NOT NULL,
  -- When its UTC day began.
  day INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  -- Random, so that several processes can write.
  id TEXT NOT NULL,
  category TEXT NOT NULL,
  title TEXT NOT NULL,
  environment TEXT NOT NULL,
  release TEXT,
  payload_bytes INTEGER NOT NULL,
  -- Absent where it was too large to be kept.
  payload BLOB,
  PRIMARY KEY (project_id, reason, day, received_at, id)
) STRICT;
