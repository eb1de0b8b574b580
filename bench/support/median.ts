/**
 * The middle one of an odd number of values, the upper one of the two in the middle of an even number; NaN of
 * none.
 */
export function toMedian(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}
