import { hash } from 'node:crypto'
import * as v from 'valibot'
import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'

/** A row that this version cannot read: a newer version has written it, or it is damaged. */
interface UnreadableRow {
  table: string
  /** The id of the row. */
  row: string
  problem: string
}

/** By table, id and contents: a row is logged once until it changes. */
const noted = new BoundedMap<string, true>(limits.unreadableRowsNoted)
let unlogged: UnreadableRow[] = []

/**
 * Parses a column of a row. Undefined if this version cannot read it: the caller skips the row, and
 * `logUnreadableRows` logs it.
 */
export function parseColumn<Schema extends v.GenericSchema>(
  schema: Schema,
  value: string,
  of: { table: string; id: string },
): v.InferOutput<Schema> | undefined {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true })
  if (success) return output
  noteUnreadable(value, { table: of.table, row: of.id, problem: toProblem(issues[0]) })
  return undefined
}

function toProblem(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue)
  return path === null ? issue.message : `${path}: ${issue.message}`
}

function noteUnreadable(value: string, row: UnreadableRow): void {
  const key = `${row.table} ${row.row} ${hash('sha1', value)}`
  if (noted.get(key) === true) return
  noted.set(key, true)
  if (unlogged.length < limits.unreadableRowsNoted) unlogged.push(row)
}

/** Logs each unreadable row once, and again after it has changed. */
export function logUnreadableRows(log: Log): void {
  const rows = unlogged
  unlogged = []
  for (const row of rows) log.error(row, 'this version cannot read a row, and skips it')
}
