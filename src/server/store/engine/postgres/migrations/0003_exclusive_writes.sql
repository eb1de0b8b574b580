-- Counts the transactions that exclude all other writers: only they delete rows that ingest remembers. 1 is of
-- this migration, because the first value of a sequence does not differ from its initial state.
CREATE SEQUENCE exclusive_writes;
SELECT nextval('exclusive_writes');
