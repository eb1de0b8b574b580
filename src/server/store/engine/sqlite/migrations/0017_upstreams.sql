-- Where a project's envelopes are sent on to. What is counted here is counted in the transaction that changes `outbox`, so
-- that nobody has to count rows.
CREATE TABLE upstreams (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  -- Random.
  id TEXT NOT NULL,
  -- Without a secret key. One project only: the tunnel finds the project by it.
  dsn TEXT NOT NULL UNIQUE,
  -- What the tunnel's `o` and `r` must be; NULL where only the envelope's DSN names the upstream.
  organization TEXT,
  region TEXT,
  -- HOST:PORT that is dialled instead of the DSN's.
  connect TEXT,
  -- Which items go up: all, errors.
  kinds TEXT NOT NULL,
  -- Who set it: settings, environment.
  source TEXT NOT NULL,
  -- Takes envelopes, sends none.
  is_paused INTEGER NOT NULL DEFAULT 0,
  -- Takes no more, sends what waits: the environment names it no longer.
  is_retired INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- Counts up only, whatever the clock does: the order in which envelopes were committed.
  last_number INTEGER NOT NULL DEFAULT 0,
  waiting_count INTEGER NOT NULL DEFAULT 0,
  waiting_bytes INTEGER NOT NULL DEFAULT 0,
  failed_count INTEGER NOT NULL DEFAULT 0,
  failed_bytes INTEGER NOT NULL DEFAULT 0,
  delivered_count INTEGER NOT NULL DEFAULT 0,
  dropped_count INTEGER NOT NULL DEFAULT 0,
  -- JSON: what the sender knows of the upstream; see upstreams.ts.
  state TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (project_id, id)
) STRICT;

-- Envelopes on their way, as they came: unscrubbed, and gone once they are delivered.
CREATE TABLE outbox (
  project_id INTEGER NOT NULL,
  upstream_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  -- The data category by which an upstream's rate limits hold it back.
  lane TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  client_address TEXT,
  user_agent TEXT,
  byte_count INTEGER NOT NULL,
  -- Set where the upstream refused it for good: it waits for a person.
  failed_at INTEGER,
  problem TEXT,
  body BLOB NOT NULL,
  PRIMARY KEY (project_id, upstream_id, number)
) STRICT;

CREATE INDEX outbox_lane ON outbox (project_id, upstream_id, lane, number) WHERE failed_at IS NULL;
CREATE INDEX outbox_failed ON outbox (project_id, upstream_id, failed_at, number) WHERE failed_at IS NOT NULL;
