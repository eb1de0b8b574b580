const collator = new Intl.Collator('en', { numeric: true })

/** Sorts by name in natural order: `job-2` before `job-10`, and `API` next to `api`. */
export function sortByName<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Row[] {
  return rows.toSorted((one, other) => collator.compare(nameOf(one), nameOf(other)))
}
