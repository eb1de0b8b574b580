import type { SqlInput } from '#server/store/engine/connection.ts'

/**
 * The number of values in a column that are not NULL, and their sum: of numbers (fractions in millionths), or
 * of the byte lengths of texts and bytes.
 */
export interface ColumnSum {
  count: number
  /** An integer, which may exceed the safe integers. */
  sum: string
}

/** A table of the store, and how much of it has been copied. */
export interface TableCopy {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Rows in the target. */
  rowCount: number
  /** Sums of the rows in the target, by column. */
  sums: readonly ColumnSum[]
}

export const noSums: ColumnSum = { count: 0, sum: '0' }

/** Sums are added in halves of this base: a number represents the halves of a batch exactly. */
const half = 2 ** 32

/** The sums of a table including further rows. */
export function addSums({ columns, sums }: TableCopy, rows: readonly SqlInput[][]): ColumnSum[] {
  return columns.map((_, at) => {
    let [count, high, low] = [0, 0, 0]
    for (const row of rows) {
      const value = row[at] ?? null
      if (value === null) continue
      count += 1
      const amount = toAmount(value, columns[at]?.type ?? '')
      high += Math.trunc(amount / half)
      low += amount % half
    }
    const before = sums[at] ?? noSums
    const sum = BigInt(before.sum) + BigInt(high) * BigInt(half) + BigInt(low)
    return { count: before.count + count, sum: String(sum) }
  })
}

function toAmount(value: NonNullable<SqlInput>, type: string): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (ArrayBuffer.isView(value)) return value.byteLength
  return type === 'double precision' ? Math.trunc(Number(value) * 1e6) : Number(value)
}

/** Two columns of a query: `count_N` and `sum_N` of the column with this index. */
export function sumSql({ name, type }: TableCopy['columns'][number], at: number): string {
  const amounts: Record<string, string> = {
    bigint: name,
    'double precision': `trunc(${name} * 1e6::float8)::bigint`,
  }
  return `count(${name}) AS count_${at}, coalesce(sum(${amounts[type] ?? `octet_length(${name})`}), 0)::text AS sum_${at}`
}
