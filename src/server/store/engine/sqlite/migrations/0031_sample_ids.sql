-- A digest, event id or trace id leads to the sample of what a filter dropped.
ALTER TABLE filter_samples ADD COLUMN event_id BLOB;
ALTER TABLE filter_samples ADD COLUMN trace_id BLOB;

UPDATE filter_samples
SET event_id = CASE WHEN length(unhex(json_extract(CAST(payload AS TEXT), '$.event_id'), '-')) = 16
      THEN unhex(json_extract(CAST(payload AS TEXT), '$.event_id'), '-') END,
  trace_id = CASE WHEN length(unhex(json_extract(CAST(payload AS TEXT), '$.contexts.trace.trace_id'), '-')) = 16
      THEN unhex(json_extract(CAST(payload AS TEXT), '$.contexts.trace.trace_id'), '-') END
WHERE payload IS NOT NULL AND json_valid(CAST(payload AS TEXT));

CREATE INDEX filter_samples_by_event ON filter_samples (project_id, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX filter_samples_by_trace ON filter_samples (project_id, trace_id) WHERE trace_id IS NOT NULL;
