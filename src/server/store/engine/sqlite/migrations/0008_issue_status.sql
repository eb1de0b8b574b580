-- When the status changed last, and whether it was an event that changed it: a resolved issue that happened again.
ALTER TABLE issues ADD COLUMN status_changed_at INTEGER;
ALTER TABLE issues ADD COLUMN is_regressed INTEGER NOT NULL DEFAULT 0;
