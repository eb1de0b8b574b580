import type { SqlInput } from './connection.ts'

/** A query parameter as a value that the store supports. Throws for any other value. */
export function toSqlInput(value: unknown): SqlInput {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (value === null || value instanceof Uint8Array) return value
  throw new TypeError(`the store holds no ${typeof value}`)
}
