/** Rows per insert: the engines limit the number of values, and the lock is held meanwhile. */
const rowsPerInsert = 500

/** Writes rows in statements of bounded size, one after another. */
export async function forEachSlice<Row>(
  rows: readonly Row[],
  work: (slice: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerInsert) await work(rows.slice(at, at + rowsPerInsert))
}
