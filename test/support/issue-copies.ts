import type { Connection } from '#server/store/engine/connection.ts'

/**
 * Copies the issue of a project the given number of times, at another level and in two statuses. The copies
 * precede it in every order.
 */
export function copyIssue(connection: Connection, projectId: number, count: number): void {
  const names = Object.keys(connection.prepare('SELECT * FROM issues LIMIT 1').get() ?? {})
  const changed: Record<string, string> = {
    id: 'id + i',
    number: 'number + i',
    level: `'error'`,
    status: `CASE WHEN i > ${count - 10} THEN 'resolved' ELSE 'unresolved' END`,
    first_seen_at: 'first_seen_at + i % 900 + 1',
    last_seen_at: 'last_seen_at + i % 900 + 1',
    event_count: 'event_count + i % 900 + 1',
    user_count: 'user_count + i % 900 + 1',
    trend: 'trend + i % 900 + 1',
  }
  const columns = names.map((name) => changed[name] ?? name)
  connection.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO issues (${names.join()}) SELECT ${columns.join()} FROM n, issues WHERE project_id = ${projectId}`,
  )
}
