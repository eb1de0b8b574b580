-- What an event's tags are, as three bytes of a hash each (tag-hash.ts): to look through an issue's events for a tag without
-- reading their payloads. An index of them would double what an event takes. Events of before have none.
ALTER TABLE events ADD COLUMN tag_hashes BLOB;

-- Issues that look alike: the same kind of error, first of all in the same place.
CREATE INDEX issues_alike ON issues (project_id, title, culprit);
