-- The zone in which times are written for this person, by its IANA name; NULL: the browser's.
ALTER TABLE users ADD COLUMN time_zone TEXT;
