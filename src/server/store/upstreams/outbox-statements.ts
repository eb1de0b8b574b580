import type { StatementSource } from '#server/store/engine/engine.ts'

/** The statements of the outbox. */
export type OutboxStatements = ReturnType<typeof prepareOutboxStatements>

/** Prepares the statements that queue and dequeue envelopes; they are part of the ingest statements. */
export function prepareOutboxStatements({ connection, engine }: StatementSource) {
  return {
    takeOutboxNumbers: connection.prepare(
      `UPDATE upstreams SET last_number = last_number + ?1, waiting_count = waiting_count + ?1,
         waiting_bytes = waiting_bytes + ?2
       WHERE project_id = ?3 AND id = ?4
       RETURNING last_number, waiting_bytes + failed_bytes AS held_bytes`,
    ),
    insertOutbox: engine.prepareWrite(
      `INSERT INTO outbox (project_id, upstream_id, number, category, received_at, client_address, user_agent, byte_count,
         body, block_number, block_offset)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, x'', ?, ?)`,
    ),
    insertOutboxBlock: engine.prepareWrite(
      `INSERT INTO outbox_blocks (project_id, upstream_id, number, last_number, raw_bytes, data)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    deleteOldestOutbox: connection.prepare(
      `DELETE FROM outbox WHERE project_id = ?1 AND upstream_id = ?2
         AND number = (SELECT min(number) FROM outbox WHERE project_id = ?1 AND upstream_id = ?2)
       RETURNING category, byte_count, failed_at`,
    ),
    deleteOutbox: connection.prepare(
      `DELETE FROM outbox WHERE project_id = ? AND upstream_id = ? AND number = ? AND failed_at IS NULL
       RETURNING byte_count`,
    ),
    // Moves the envelope out of its block, which it would otherwise keep on disk until a user retries or
    // discards it.
    failOutbox: connection.prepare(
      `UPDATE outbox SET failed_at = ?1, problem = ?2, body = coalesce(?3, body),
         block_number = CASE WHEN ?3 IS NULL THEN block_number END, block_offset = CASE WHEN ?3 IS NULL THEN block_offset END
       WHERE project_id = ?4 AND upstream_id = ?5 AND number = ?6 AND failed_at IS NULL
       RETURNING byte_count`,
    ),
    setUpstreamState: engine.prepareWrite(`UPDATE upstreams SET state = ? WHERE project_id = ? AND id = ?`),
    addToUpstream: engine.prepareWrite(
      `UPDATE upstreams SET waiting_count = waiting_count + ?, waiting_bytes = waiting_bytes + ?,
         failed_count = failed_count + ?, failed_bytes = failed_bytes + ?,
         delivered_count = delivered_count + ?, dropped_count = dropped_count + ?
       WHERE project_id = ? AND id = ?`,
    ),
  }
}
