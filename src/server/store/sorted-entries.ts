/** One order for every writer: rows are written along the index, and two writers cannot deadlock. */
export function sortedEntries<Key extends string | number, Value>(
  map: Map<Key, Value>,
): Iterable<[Key, Value]> {
  if (map.size < 2) return map
  return [...map].toSorted(([one], [other]) => (one < other ? -1 : 1))
}
