-- What an item's run after a fix needs besides its bytes. Letters of before have neither.
ALTER TABLE dead_letters ADD COLUMN category TEXT;
-- JSON: the event id and headers it came with, and from where; see dead-letters.ts.
ALTER TABLE dead_letters ADD COLUMN origin TEXT;
