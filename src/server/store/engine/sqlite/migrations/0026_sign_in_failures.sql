-- Failed sign-ins, counted in the store so that all processes of an installation count together.
CREATE TABLE sign_in_failures (
  -- SHA-256 of what is counted: an account, a client network, or both. Hashed, because people type passwords into the
  -- wrong field.
  name_hash TEXT NOT NULL PRIMARY KEY,
  failure_count INTEGER NOT NULL,
  -- Unix milliseconds, both.
  last_at INTEGER NOT NULL,
  forget_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_failures_forget_at ON sign_in_failures (forget_at);

-- The time step of the last accepted code (RFC 6238 5.2: each code is accepted once).
ALTER TABLE two_factors ADD COLUMN last_used_step INTEGER;
