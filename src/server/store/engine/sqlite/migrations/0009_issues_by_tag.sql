-- The issues with a tag: for filtering the stream by one that few issues have.
CREATE INDEX issue_tags_value ON issue_tags (key, value, project_id, issue_id);
