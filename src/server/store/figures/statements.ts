import type { StatementSource } from '#server/store/engine/engine.ts'

/** The statements that count figures. */
export type FigureStatements = ReturnType<typeof prepareFigureStatements>

/** Deletes and returns the oldest deltas. The ids of a fold's parts are negative. */
const takeOf = (condition: string, limit: string) =>
  `DELETE FROM figure_deltas
   WHERE (project_id, id) IN (
     SELECT project_id, id FROM figure_deltas WHERE ${condition} ORDER BY project_id, id LIMIT ${limit})
   RETURNING project_id, data`

/** Prepares the statements on the writer's connection. */
export function prepareFigureStatements({ connection, engine }: StatementSource) {
  return {
    insertFigureDelta: engine.prepareWrite(
      'INSERT INTO figure_deltas (project_id, id, data) VALUES (?, ?, ?)',
    ),
    takeFigureDeltas: connection.prepare(takeOf('id > 0', '?')),
    takeFigureDeltasOf: connection.prepare(takeOf(`id > 0 AND ${engine.numbersIn('project_id')}`, '?')),
    takeFigurePart: connection.prepare(takeOf('id < 0', '1')),
    takeFigurePartOf: connection.prepare(takeOf(`id < 0 AND ${engine.numbersIn('project_id')}`, '1')),
    countFigureDeltas: connection.prepare('SELECT count(*) AS delta_count FROM figure_deltas'),
    findFigureName: engine.prepareRead('SELECT seen_day FROM figure_names WHERE project_id = ? AND id = ?'),
    countFigureNames: engine.prepareRead(
      'SELECT count(*) AS name_count FROM figure_names WHERE project_id = ? AND kind = ? AND seen_day = ?',
    ),
    upsertFigureName: engine.prepareWrite(
      `INSERT INTO figure_names (project_id, id, kind, op, name, first_seen_at, seen_day)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (project_id, id) DO UPDATE SET seen_day = excluded.seen_day`,
    ),
    findFigure: engine.prepareRead(
      // Rows of earlier versions can have a sum that SQLite's driver does not read as an integer.
      `SELECT value_count, weight, failure_count, good_count, CAST(value_sum AS double precision) AS value_sum,
         histogram FROM figures
       WHERE project_id = ? AND series = ? AND step = ? AND at = ? AND name_id = ? AND facet = ?`,
    ),
    countFigures: engine.prepareRead(
      'SELECT count(*) AS row_count FROM figures WHERE project_id = ? AND series = ? AND step = ? AND at = ?',
    ),
    upsertFigure: engine.prepareWrite(
      `INSERT INTO figures (project_id, series, step, at, name_id, facet, value_count, weight, failure_count,
         good_count, value_sum, histogram)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (project_id, series, step, at, name_id, facet) DO UPDATE SET
         value_count = excluded.value_count, weight = excluded.weight, failure_count = excluded.failure_count,
         good_count = excluded.good_count, value_sum = excluded.value_sum, histogram = excluded.histogram`,
    ),
    // Retention deletes environments that were not seen for long; for those with events, the last event
    // counts.
    upsertEnvironmentOfTraces: engine.prepareWrite(
      `INSERT INTO environments (project_id, name, first_seen_at, last_seen_at, event_count) VALUES (?, ?, ?, ?, 0)
       ON CONFLICT (project_id, name) DO UPDATE SET last_seen_at = excluded.last_seen_at
       WHERE environments.event_count = 0`,
    ),
    upsertReleaseOfTraces: engine.prepareWrite(
      `INSERT INTO releases (project_id, version, package, version_order, created_at, first_seen_at, last_seen_at,
         event_count)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0)
       ON CONFLICT (project_id, version) DO UPDATE SET last_seen_at = excluded.last_seen_at
       WHERE releases.event_count = 0`,
    ),
  }
}
