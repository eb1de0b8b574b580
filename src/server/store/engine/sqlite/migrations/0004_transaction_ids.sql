-- The id that an SDK has for a transaction, 16 bytes; NULL for other spans, and for segments that an earlier
-- version stored.
ALTER TABLE trace_segments ADD COLUMN event_id BLOB;

CREATE INDEX trace_segments_of_event ON trace_segments (project_id, event_id) WHERE event_id IS NOT NULL;
