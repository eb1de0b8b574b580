import type { StatementSource } from '#server/store/engine/engine.ts'

/** Prepares the statements that count sessions on the writer's connection. Run them in a transaction. */
export function prepareSessionStatements(source: StatementSource) {
  return {
    ...prepareSeriesStatements(source),
    ...prepareUserStatements(source),
    ...prepareCountedSessionStatements(source),
  }
}

function prepareSeriesStatements({ connection, engine }: StatementSource) {
  return {
    findSeries: engine.prepareRead(
      `SELECT id, user_count, crashed_user_count FROM session_series
       WHERE project_id = ? AND version = ? AND environment = ?`,
    ),
    countSeriesOfProject: connection.prepare('SELECT count(*) AS n FROM session_series WHERE project_id = ?'),
    takeSeriesId: connection.prepare(
      'UPDATE projects SET last_series_id = last_series_id + 1 WHERE id = ? RETURNING last_series_id',
    ),
    insertSeries: engine.prepareWrite(
      `INSERT INTO session_series (project_id, version, environment, id, first_session_at, last_session_at, session_count,
         errored_count, unhandled_count, abnormal_count, crashed_count, user_count, crashed_user_count)
       VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0)`,
    ),
    insertReleaseOfSessions: engine.prepareWrite(
      `INSERT INTO releases (project_id, version, package, version_order, created_at, first_seen_at, last_seen_at,
         event_count)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (project_id, version) DO NOTHING`,
    ),
    countSeries: engine.prepareWrite(
      `UPDATE session_series SET session_count = session_count + ?, errored_count = errored_count + ?,
         unhandled_count = unhandled_count + ?, abnormal_count = abnormal_count + ?,
         crashed_count = crashed_count + ?, user_count = ?, crashed_user_count = ?,
         first_session_at = CASE WHEN first_session_at > ? THEN ? ELSE first_session_at END,
         last_session_at = CASE WHEN last_session_at < ? THEN ? ELSE last_session_at END
       WHERE project_id = ? AND version = ? AND environment = ?`,
    ),
    upsertSessionHour: engine.prepareWrite(
      `INSERT INTO session_hours (project_id, series_id, hour, session_count, errored_count, unhandled_count, abnormal_count,
         crashed_count)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (project_id, series_id, hour) DO UPDATE SET
         session_count = session_hours.session_count + excluded.session_count,
         errored_count = session_hours.errored_count + excluded.errored_count,
         unhandled_count = session_hours.unhandled_count + excluded.unhandled_count,
         abnormal_count = session_hours.abnormal_count + excluded.abnormal_count,
         crashed_count = session_hours.crashed_count + excluded.crashed_count`,
    ),
  }
}

function prepareUserStatements({ engine }: StatementSource) {
  return {
    findSessionDay: engine.prepareRead(
      `SELECT user_count, crashed_user_count FROM session_days WHERE project_id = ? AND series_id = ? AND day = ?`,
    ),
    setSessionDay: engine.prepareWrite(
      `INSERT INTO session_days (project_id, series_id, day, user_count, crashed_user_count) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (project_id, series_id, day) DO UPDATE SET
         user_count = excluded.user_count, crashed_user_count = excluded.crashed_user_count`,
    ),
    insertSessionUser: engine.prepareChange(
      `INSERT INTO session_users (project_id, series_id, day, is_crashed, user_hash) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (project_id, series_id, day, is_crashed, user_hash) DO NOTHING`,
    ),
    deleteSessionUser: engine.prepareWrite(
      `DELETE FROM session_users
       WHERE project_id = ? AND series_id = ? AND day = ? AND is_crashed = ? AND user_hash = ?`,
    ),
    readLargestSessionUsers: engine.prepareRead(
      `SELECT user_hash FROM session_users
       WHERE project_id = ? AND series_id = ? AND day = ? AND is_crashed = ? ORDER BY user_hash DESC LIMIT ?`,
    ),
  }
}

function prepareCountedSessionStatements({ connection, engine }: StatementSource) {
  return {
    // Three hours: the start moves if the sender's clock is wrong, by the transmission time of its updates.
    findCountedSession: engine.prepareRead(
      `SELECT hour, seq, state FROM counted_sessions
       WHERE project_id = ? AND hour IN (?, ?, ?) AND series_id = ? AND sid = ?`,
    ),
    insertCountedSession: engine.prepareWrite(
      `INSERT INTO counted_sessions (project_id, hour, series_id, sid, seq, state) VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    setCountedSession: engine.prepareWrite(
      `UPDATE counted_sessions SET seq = ?, state = ?
       WHERE project_id = ? AND hour = ? AND series_id = ? AND sid = ?`,
    ),
    findOldestSessionHour: connection.prepare(
      'SELECT min(hour) AS hour FROM counted_sessions WHERE project_id = ?',
    ),
  }
}
