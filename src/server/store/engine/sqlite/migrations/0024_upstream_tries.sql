-- How often a person asked for an upstream to be tried at once: whichever process sends sees that it has grown.
ALTER TABLE upstreams ADD COLUMN tries_asked INTEGER NOT NULL DEFAULT 0;
