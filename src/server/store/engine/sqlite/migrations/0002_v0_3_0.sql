-- ---- Alerts ----

-- JSON: the ids of further rules that decided the same and notified the same receivers; NULL: none. A storm of
-- new issues writes one row for each transition, however many rules match it.
ALTER TABLE alert_decisions ADD COLUMN more_rule_ids TEXT;

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
