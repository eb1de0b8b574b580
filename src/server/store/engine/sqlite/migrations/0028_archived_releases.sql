-- What a tool put aside: `sentry-cli releases archive`.
ALTER TABLE releases ADD COLUMN is_archived INTEGER NOT NULL DEFAULT 0;
