-- ---- Alerts ----

-- JSON: the ids of further rules that decided the same and notified the same receivers; NULL: none. A storm of
-- new issues writes one row for each transition, however many rules match it.
ALTER TABLE alert_decisions ADD COLUMN more_rule_ids text COLLATE "C";

-- JSON: a rule as a client of the API sent it, which reads it in the same words; NULL once people changed it.
ALTER TABLE alert_rules ADD COLUMN sent text COLLATE "C";
