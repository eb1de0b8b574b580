import { DatabaseSync } from 'node:sqlite'

/** The columns of an event that clauses check. */
export interface EventRow {
  projectId: number
  id: string
  occurredAt: number
  receivedAt: number
  clientAddress: string | null
}

/** The rows of a store at one moment. */
export interface StoreRows {
  events: EventRow[]
  /** Events, attachments, feedback and dead letters of each project. */
  rowsByProject: Map<number, number>
  tagRows: number
  longestHashBytes: number
  /** Events that issues count but do not contain, or the reverse. */
  miscounted: number
}

/** Reads a store while a server writes to it. */
export function readStoreRows(path: string): StoreRows {
  const connection = new DatabaseSync(path, { readOnly: true })
  const numberOf = (sql: string) => Number(connection.prepare(sql).get()?.['n'])
  try {
    const rowsByProject = new Map<number, number>()
    for (const table of ['events', 'attachments', 'event_feedback', 'dead_letters']) {
      const counts = connection.prepare(`SELECT project_id, count(*) AS n FROM ${table} GROUP BY project_id`)
      for (const { project_id: project, n } of counts.iterate())
        rowsByProject.set(Number(project), (rowsByProject.get(Number(project)) ?? 0) + Number(n))
    }
    return {
      events: readEvents(connection),
      rowsByProject,
      tagRows: numberOf('SELECT count(*) AS n FROM issue_tags'),
      longestHashBytes: numberOf('SELECT coalesce(max(length(hash)), 0) AS n FROM issue_hashes'),
      miscounted: numberOf(
        `SELECT count(*) AS n FROM issues i WHERE event_count - expired_event_count <> (
           SELECT count(*) FROM events e WHERE e.project_id = i.project_id AND e.issue_id = i.id)`,
      ),
    }
  } finally {
    connection.close()
  }
}

function readEvents(connection: DatabaseSync): EventRow[] {
  const rows = connection.prepare(
    `SELECT project_id, hex(event_id) AS id, occurred_at, received_at, client_address FROM events ORDER BY rowid`,
  )
  return rows.all().map((row) => ({
    projectId: Number(row['project_id']),
    id: String(row['id']).toLowerCase(),
    occurredAt: Number(row['occurred_at']),
    receivedAt: Number(row['received_at']),
    clientAddress: row['client_address'] === null ? null : String(row['client_address']),
  }))
}
