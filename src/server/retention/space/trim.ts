import type { ExpiryRun } from '#server/retention/expiry/run.ts'
import { expiryOf } from '#server/retention/run-report.ts'
import { prepareOutboxStatements } from '#server/store/upstreams/outbox-statements.ts'
import { dropOldestEnvelope, outboxFullReason } from '#server/store/upstreams/outbox-writer.ts'
import { hourOf } from '#time/time-steps.ts'
import type { SpaceKind } from './plan.ts'

/** Rows other than events that are deleted for lack of space. */
type TrimmedKind = Exclude<SpaceKind, 'events'>

/** How much a project has to free of one kind of rows. */
export interface Trim {
  projectId: number
  kind: TrimmedKind
  bytes: number
  /** Ends the deletion early. */
  isReached: () => boolean
}

/** Deletes the oldest rows of one kind until their size is at most this, and counts them in the report. */
export async function trimRows(run: ExpiryRun, trim: Trim): Promise<void> {
  if (trim.bytes <= 0) return
  const { projectId, kind } = trim
  let left = trim.bytes
  const next = run.isDryRun ? listDeletions(run, trim) : prepareTrim(run, trim)
  await run.pacer.repeat(() => {
    if (left <= 0 || trim.isReached()) return true
    const bytes = next()
    if (bytes === undefined) return true
    left -= bytes
    noteRow(run, trim)
    if (run.isDryRun) run.freed.add(projectId, kind, bytes)
    return false
  })
}

function noteRow({ report }: ExpiryRun, { projectId, kind }: Trim): void {
  const expiry = expiryOf(report, projectId)
  expiry.rows = { ...expiry.rows, [kind]: (expiry.rows?.[kind] ?? 0) + 1 }
}

/** Deletes the oldest row. Returns its bytes; undefined if there is none. */
type DeleteOldest = () => number | undefined

function prepareTrim(run: ExpiryRun, { projectId, kind }: Trim): DeleteOldest {
  if (kind === 'outbox') return prepareOutboxTrim(run, projectId)
  const { table, key, bytes } = trimmedTables[kind]
  const statement = run.store.connection.prepare(
    `DELETE FROM ${table} WHERE project_id = ?1 AND (${key}) IN (
       SELECT ${key} FROM ${table} WHERE project_id = ?1 ORDER BY received_at LIMIT 1)
     RETURNING ${bytes} AS bytes`,
  )
  return () => toBytes(statement.get(projectId))
}

const trimmedTables = {
  attachments: { table: 'attachments', key: 'event_id, number', bytes: 'stored_bytes' },
  deadLetters: { table: 'dead_letters', key: 'id', bytes: 'length(payload)' },
} as const

/** Deletes from the upstream with the largest queue. Each envelope is counted as not delivered. */
function prepareOutboxTrim({ store, now }: ExpiryRun, projectId: number): DeleteOldest {
  const { connection, engine } = store
  const statements = prepareOutboxStatements({ connection, engine })
  const findFullest = connection.prepare(
    `SELECT id FROM upstreams WHERE project_id = ? AND waiting_count + failed_count > 0
     ORDER BY waiting_bytes + failed_bytes DESC LIMIT 1`,
  )
  const readStored = connection.prepare(
    'SELECT outbox_bytes AS bytes FROM project_bytes WHERE project_id = ?',
  )
  const count = connection.prepare(
    `INSERT INTO outcome_hours (project_id, hour, category, outcome, reason, quantity)
     VALUES (?, ?, ?, 'undelivered', ?, 1)
     ON CONFLICT (project_id, hour, category, outcome, reason) DO UPDATE SET quantity = outcome_hours.quantity + 1`,
  )
  return () => {
    const upstreamId = findFullest.get(projectId)?.['id']
    if (typeof upstreamId !== 'string') return undefined
    const before = toBytes(readStored.get(projectId)) ?? 0
    const dropped = dropOldestEnvelope(statements, { projectId, upstreamId })
    if (dropped === undefined) return undefined
    count.run(projectId, hourOf(now), dropped.category, outboxFullReason)
    // Envelopes that are stored together are freed with the last one of them.
    return before - (toBytes(readStored.get(projectId)) ?? 0)
  }
}

/** The bytes of the rows in the order in which a run would delete them. */
function listDeletions({ store }: ExpiryRun, { projectId, kind }: Trim): DeleteOldest {
  // All at once: a statement that is still being read would block the locks of the run's other transactions.
  const rows = store.connection.prepare(toListText(kind)).all(projectId)
  let next = 0
  return () => toBytes(rows[next++])
}

function toListText(kind: TrimmedKind): string {
  if (kind !== 'outbox') {
    const { table, bytes } = trimmedTables[kind]
    return `SELECT ${bytes} AS bytes FROM ${table} WHERE project_id = ? ORDER BY received_at`
  }
  // The share of an envelope in the bytes of its block.
  return `SELECT coalesce(length(b.data) * 1.0 * o.byte_count / b.raw_bytes, length(o.body)) AS bytes
     FROM outbox o LEFT JOIN outbox_blocks b
       ON b.project_id = o.project_id AND b.upstream_id = o.upstream_id AND b.number = o.block_number
     WHERE o.project_id = ? ORDER BY o.received_at`
}

function toBytes(row: Record<string, unknown> | undefined): number | undefined {
  return row === undefined ? undefined : Number(row['bytes'])
}
