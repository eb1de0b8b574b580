-- ---- Alerts ----

-- Rules that decided the same and notified the same receivers: a storm of new issues writes one short row for each
-- transition, however many rules match it.
CREATE TABLE alert_rule_sets (
  project_id INTEGER NOT NULL,
  -- Made from the rules and the day, so that all processes write the same.
  id TEXT NOT NULL,
  -- JSON: the ids of the rules.
  rule_ids TEXT NOT NULL,
  -- The begin of the day (UTC) whose decisions have it.
  at INTEGER NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT, WITHOUT ROWID;

-- The set of further rules, besides the one in rule_id; NULL: none.
ALTER TABLE alert_decisions ADD COLUMN rule_set_id TEXT;

-- JSON: a rule as a client of the API sent it, which reads it in the same words; NULL once people changed it.
ALTER TABLE alert_rules ADD COLUMN sent TEXT;

-- ---- Figures ----

-- Groups of spans over all transactions. The bytes of histograms are joined, see src/traces/histogram.ts.
INSERT INTO figures
SELECT project_id, 'group', step, at, name_id, '', sum(value_count), sum(weight), sum(failure_count),
  sum(good_count), sum(value_sum), unhex(group_concat(hex(histogram), '0000'))
FROM figures WHERE series = 'span' GROUP BY project_id, step, at, name_id;

-- ---- Events ----

-- 1: its SDK sampled the trace, 0: it did not, NULL: it decides nothing. Says why a trace has no spans.
ALTER TABLE events ADD COLUMN is_trace_sampled INTEGER;

-- ---- Issues of trackers ----

-- When the tracker sent the newest report of it, by its own clock; NULL: none with a time. Older ones change nothing.
ALTER TABLE issue_links ADD COLUMN reported_at INTEGER;
