import type { SqlInput } from '#server/store/engine/connection.ts'
import { SetStatement } from './set-statement.ts'

/** Two updates of a row combined into one. */
interface JoinedUpdate {
  statement: SetStatement
  /** The values of the combined update. */
  valuesOf: (first: readonly SqlInput[], second: readonly SqlInput[]) => SqlInput[]
}

/** Combines updates, and caches the resulting statements. */
export class UpdateJoiner {
  private readonly joined = new Map<SetStatement, Map<SetStatement, JoinedUpdate | undefined>>()

  /**
   * The update that has the effect of two consecutive updates of the same row. Undefined unless both are
   * updates by the primary key and the second one neither sets nor reads a column that the first one sets.
   */
  join(first: SetStatement, second: SetStatement): JoinedUpdate | undefined {
    const ofFirst = this.joined.get(first) ?? new Map<SetStatement, JoinedUpdate | undefined>()
    if (ofFirst.has(second)) return ofFirst.get(second)
    const joined = createJoined(first, second)
    this.joined.set(first, ofFirst.set(second, joined))
    return joined
  }
}

function createJoined(first: SetStatement, second: SetStatement): JoinedUpdate | undefined {
  const [one, other] = [splitUpdate(first), splitUpdate(second)]
  if (one === undefined || other === undefined) return undefined
  if (first.shape.assigned.some((name) => new RegExp(`\\b${name}\\b`).test(other.assignments)))
    return undefined
  // The key's parameters are those of the first; the other parameters of the second follow those of the
  // first.
  const ofKey = new Set(second.shape.columns.values())
  const kept = [...second.types.keys()].filter((at) => !ofKey.has(at))
  const assignments = other.assignments.replaceAll(
    /\$(\d+)/g,
    (_, number) => `$${first.types.length + kept.indexOf(Number(number) - 1) + 1}`,
  )
  const statement = new SetStatement(
    `UPDATE ${first.shape.tables[0]} SET ${one.assignments}, ${assignments} WHERE ${one.condition}`,
  )
  const types = [...first.types, ...kept.map((at) => second.types[at] ?? '')]
  statement.describe({ types, primaryKey: first.primaryKey }, first.isDistributed)
  return {
    statement,
    valuesOf: (before, values) => [...before, ...kept.map((at) => values[at] ?? null)],
  }
}

function splitUpdate({ sql, shape, primaryKey }: SetStatement) {
  const isByKey =
    shape.kind === 'update' &&
    shape.isByColumns &&
    shape.columns.size === primaryKey.length &&
    primaryKey.every((name) => shape.columns.has(name))
  const [, assignments = '', condition = ''] = /\sSET\s+(.*?)\s+WHERE\s+(.*)$/s.exec(sql) ?? []
  return isByKey ? { assignments, condition } : undefined
}
