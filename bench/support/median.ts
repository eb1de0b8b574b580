/** The median; of an even number of values the upper of the two in the middle; NaN without values. */
export function toMedian(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}
