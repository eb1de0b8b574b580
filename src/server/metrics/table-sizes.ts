import { limits } from '#server/limits.ts'
import { measureTables } from '#server/store/engine/measure-tables.ts'
import type { TableBytes } from '#server/store/engine/table-bytes.ts'

/** Bytes on disk, by kind of data. */
export interface TableSizes {
  /** When they were measured. Unix milliseconds. */
  measuredAt: number
  /** Largest first, each with its tables. The size of a table includes its indexes. */
  groups: { name: string; bytes: number; tables: TableBytes[] }[]
}

/** Measures the size of the database's parts. */
export interface TableMeasure {
  /**
   * The last measurement, at most `limits.tableSizesMaxAgeMs` old; undefined while it is being measured, or
   * if that took too long.
   */
  find(): Promise<TableSizes | undefined>
}

/** Creates the measurement of the database of a store with this `path`. Measures on request only. */
export function createTableMeasure(path: string, clock: () => number): TableMeasure {
  let known: TableSizes | undefined
  let running: Promise<void> | undefined
  const measureAnew = async () => {
    const tables = await measureTables(path)
    known = tables && { groups: toGroups(tables), measuredAt: clock() }
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

const groupNames = [
  ['Event payloads', /^body_blocks$/],
  ['Attachments', /^attachment/],
  ['Source maps', /^artifact_/],
  ['Events', /^event/],
  ['Issues and counters', /^(?:issue|counter_deltas|expired_)/],
  ['Releases', /^(?:release|deploys)/],
  ['Release sessions', /^(?:session_|counted_sessions)/],
  ['Traces', /^trace_/],
  ['Trace statistics', /^figure/],
  ['Samples and dead letters', /^(?:filter_samples|dead_letters)/],
  ['Upstream outbox', /^(?:outbox|upstream)/],
  ['Outcomes', /^outcome/],
] as const

/** The other tables: the last group, regardless of its size. */
const rest = 'Everything else'

function toGroups(tables: TableBytes[]): TableSizes['groups'] {
  const byGroup = Map.groupBy(
    tables.toSorted((one, other) => other.bytes - one.bytes),
    ({ name }) => groupNames.find(([, pattern]) => pattern.test(name))?.[0] ?? rest,
  )
  return [...byGroup]
    .map(([name, ofGroup]) => ({
      name,
      bytes: ofGroup.reduce((sum, { bytes }) => sum + bytes, 0),
      tables: ofGroup,
    }))
    .toSorted(
      (one, other) => Number(one.name === rest) - Number(other.name === rest) || other.bytes - one.bytes,
    )
}
