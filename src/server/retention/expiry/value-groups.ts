/** Values in a statement's list. More would make a step of a slice too long. */
export const valuesPerStatement = 16

/** The placeholders of a list in a statement. Run the statement once for each group of `toGroups`. */
export const valueMarks = rowsOf('?')

/** The same for numbers as rows of a `VALUES`, whose columns both engines name `column1`, `column2`. */
export const numberRows = rowsOf('(cast(? AS bigint))')

/** The same for pairs of numbers. */
export const pairRows = rowsOf('(cast(? AS bigint), cast(? AS bigint))')

/**
 * Splits values into groups of the size of a list. The last group repeats its last value, so that one
 * prepared statement serves any number of values.
 */
export function toGroups<Value>(values: readonly Value[]): Value[][] {
  const groups: Value[][] = []
  for (let from = 0; from < values.length; from += valuesPerStatement) {
    const group = values.slice(from, from + valuesPerStatement)
    const missingCount = valuesPerStatement - group.length
    groups.push([
      ...group,
      ...group.slice(-1).flatMap((last) => Array.from({ length: missingCount }, () => last)),
    ])
  }
  return groups
}

function rowsOf(row: string): string {
  return Array.from({ length: valuesPerStatement }, () => row).join(', ')
}
