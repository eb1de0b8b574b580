-- ---- Alerts ----

-- Rules that decided the same and notified the same receivers: a storm of new issues writes one short row for each
-- transition, however many rules match it.
CREATE TABLE alert_rule_sets (
  project_id bigint NOT NULL,
  -- Made from the rules and the day, so that all processes write the same.
  id text COLLATE "C" NOT NULL,
  -- JSON: the ids of the rules.
  rule_ids text COLLATE "C" NOT NULL,
  -- The begin of the day (UTC) whose decisions have it.
  at bigint NOT NULL,
  PRIMARY KEY (project_id, id)
);

-- The set of further rules, besides the one in rule_id; NULL: none.
ALTER TABLE alert_decisions ADD COLUMN rule_set_id text COLLATE "C";

-- JSON: a rule as a client of the API sent it, which reads it in the same words; NULL once people changed it.
ALTER TABLE alert_rules ADD COLUMN sent text COLLATE "C";

-- ---- Figures ----

-- Groups of spans over all transactions. The bytes of histograms are joined, see src/traces/histogram.ts.
INSERT INTO figures (project_id, series, step, at, name_id, facet, value_count, weight, failure_count, good_count,
  value_sum, histogram)
SELECT project_id, 'group', step, at, name_id, '', sum(value_count), sum(weight), sum(failure_count),
  sum(good_count), sum(value_sum), string_agg(histogram, '\x0000'::bytea)
FROM figures WHERE series = 'span' GROUP BY project_id, step, at, name_id;

-- ---- Events ----

-- 1: its SDK sampled the trace, 0: it did not, NULL: it decides nothing. Says why a trace has no spans.
ALTER TABLE events ADD COLUMN is_trace_sampled bigint;

-- ---- Issues of trackers ----

-- When the tracker sent the newest report of it, by its own clock; NULL: none with a time. Older ones change nothing.
ALTER TABLE issue_links ADD COLUMN reported_at bigint;
