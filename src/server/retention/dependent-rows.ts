/**
 * The tables whose rows are deleted together with an event or an issue. A new table with such a key needs a
 * line here, and no other change in this folder.
 */

/**
 * Rows that are deleted together with their event: a table, and its column with the event's id, which is the
 * second one of an index.
 */
export const eventRows = [
  { table: 'event_digests', column: 'event_id' },
  { table: 'attachments', column: 'event_id' },
  { table: 'event_feedback', column: 'event_id' },
  // Feedback is itself an event.
  { table: 'event_feedback', column: 'feedback_id' },
] as const

/**
 * Rows that are deleted after their issue, some at a time: a table, and the columns of its primary key after
 * project and issue.
 */
export const issueRows = [
  { table: 'issue_hours', key: ['hour', 'environment'] },
  { table: 'issue_tags', key: ['key', 'value'] },
  { table: 'issue_traits', key: ['key', 'value'] },
  { table: 'issue_users', key: ['user_hash'] },
  { table: 'issue_environments', key: ['environment'] },
  { table: 'issue_activity', key: ['id'] },
  { table: 'issue_links', key: ['url'] },
  { table: 'alert_decisions', key: ['rule_id', 'transition_id'] },
  { table: 'alert_threads', key: ['destination_id'] },
  { table: 'alert_thresholds', key: ['rule_id'] },
  { table: 'inbox_items', key: ['user_id', 'id'] },
] as const
