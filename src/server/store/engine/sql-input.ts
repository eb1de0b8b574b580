import type { SqlInput } from './connection.ts'

/** A parameter of a query as a value that the store holds. Throws on any other. */
export function toSqlInput(value: unknown): SqlInput {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (value === null || value instanceof Uint8Array) return value
  throw new TypeError(`the store holds no ${typeof value}`)
}
