import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { checkInSchema, type CheckIn } from '#monitors/check-in.ts'
import type { StatementSource } from '#server/store/engine/engine.ts'
import { parseColumn } from '#server/store/unreadable-rows.ts'
import type { QueuedCheckIn } from './records.ts'

const queued = v.pipe(v.string(), v.parseJson(), checkInSchema)

/** Prepares the statement that queues a check-in, on the writer's connection. */
export function prepareMonitorStatements({ engine }: StatementSource) {
  return {
    insertCheckIn: engine.prepareWrite(
      'INSERT INTO monitor_queue (project_id, id, received_at, data) VALUES (?, ?, ?, ?)',
    ),
  }
}

/** Queues the check-ins of a batch, inside its transaction; the clock of the monitors applies them. */
export function queueCheckIns(
  { insertCheckIn }: ReturnType<typeof prepareMonitorStatements>,
  checkIns: readonly QueuedCheckIn[],
): void {
  for (const { projectId, receivedAt, checkIn } of checkIns)
    insertCheckIn.run(projectId, createQueueId(receivedAt), receivedAt, JSON.stringify(checkIn))
}

let lastNumber = 0

/** Sorts by time, then by the order in this process, for a run that begins and ends within a millisecond. */
function createQueueId(at: number): string {
  lastNumber = (lastNumber + 1) % 36 ** 6
  const number = lastNumber.toString(36).padStart(6, '0')
  return `${at.toString(36).padStart(9, '0')}-${number}-${randomBytes(4).toString('hex')}`
}

/** Parses `monitor_queue.data`; undefined for a value that this version cannot read. */
export function parseQueuedCheckIn({ id, data }: { id: string; data: string }): CheckIn | undefined {
  return parseColumn(queued, data, { table: 'monitor_queue', id })
}
