import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'

/** Bytes on disk, by what they are for. */
export interface TableSizes {
  /** When they were measured. Unix milliseconds. */
  measuredAt: number
  /** Largest first, each with its tables. Indexes count with their table. */
  groups: { name: string; bytes: number; tables: { name: string; bytes: number }[] }[]
}

/** Measures what takes how much of the database. */
export interface TableMeasure {
  /**
   * What is known, up to `limits.tableSizesMaxAgeMs` old; undefined while it is being measured, or took too
   * long.
   */
  find(): Promise<TableSizes | undefined>
}

/**
 * Makes the measure of a database file. It reads every page (1.6 s for 700 MB, measured), so a thread of its
 * own does it, and only when somebody asks.
 */
export function createTableMeasure(path: string, clock: () => number): TableMeasure {
  let known: TableSizes | undefined
  let running: Promise<void> | undefined
  const measureAnew = async () => {
    const sizes = await measure(path)
    known = sizes && { ...sizes, measuredAt: clock() }
    running = undefined
  }
  return {
    async find() {
      if (known !== undefined && clock() - known.measuredAt < limits.tableSizesMaxAgeMs) return known
      running ??= measureAnew()
      await Promise.race([running, shortly()])
      return known
    },
  }
}

function shortly(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, limits.tableSizesAwaitMs).unref())
}

/** As text, because a bundle has no file beside it. Indexes count with their table. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(workerData, { readOnly: true })
  const tables = database.prepare(
    "SELECT coalesce(s.tbl_name, d.name) AS name, sum(d.pgsize) AS bytes FROM dbstat d " +
    "LEFT JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = TRUE GROUP BY 1"
  ).all()
  database.close()
  parentPort.postMessage({ tables })
`

const Measured = v.object({
  tables: v.array(v.object({ name: v.string(), bytes: v.number() })),
})

async function measure(path: string): Promise<Omit<TableSizes, 'measuredAt'> | undefined> {
  const worker = new Worker(program, { eval: true, workerData: path })
  const message = await new Promise<unknown>((resolve) => {
    const giveUp = setTimeout(resolve, limits.tableSizesMs).unref()
    worker.once('message', resolve)
    worker.once('error', () => resolve(undefined))
    worker.once('exit', () => clearTimeout(giveUp))
  })
  await worker.terminate()
  const measured = v.safeParse(Measured, message)
  if (!measured.success) return undefined
  return { groups: toGroups(measured.output.tables) }
}

const groupNames = [
  ['Payloads of events', /^body_blocks$/],
  ['Attachments', /^attachment/],
  ['Source maps', /^artifact_/],
  ['Events', /^event/],
  ['Issues and their counters', /^(?:issue|counter_deltas|expired_)/],
  ['Releases', /^(?:release|deploys)/],
  ['Sessions of releases', /^(?:session_|counted_sessions)/],
  ['Samples and dead letters', /^(?:filter_samples|dead_letters)/],
  ['Outbox of upstreams', /^(?:outbox|upstream)/],
  ['Outcomes', /^outcome/],
] as const

function toGroups(tables: { name: string; bytes: number }[]): TableSizes['groups'] {
  const byGroup = Map.groupBy(
    tables.toSorted((one, other) => other.bytes - one.bytes),
    ({ name }) => groupNames.find(([, pattern]) => pattern.test(name))?.[0] ?? 'Everything else',
  )
  return [...byGroup]
    .map(([name, ofGroup]) => ({
      name,
      bytes: ofGroup.reduce((sum, { bytes }) => sum + bytes, 0),
      tables: ofGroup,
    }))
    .toSorted((one, other) => other.bytes - one.bytes)
}
