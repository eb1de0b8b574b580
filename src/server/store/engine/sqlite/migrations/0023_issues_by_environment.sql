-- Whether any issue has events in an environment: a list asks once, so that one that nobody sends from does not cost a read
-- of every issue.
CREATE INDEX issue_environments_name ON issue_environments (environment, project_id);
