/** Outdated page data that shows the change that made it outdated. */
const updated = new WeakSet<object>()

/** Marks data that an optimistic update has changed. Call it when the data has become outdated. */
export function markOwnChange(data: unknown): void {
  if (typeof data === 'object' && data !== null) updated.add(data)
}

/** Removes the mark: another change made the data outdated. */
export function unmarkOwnChange(data: unknown): void {
  if (typeof data === 'object' && data !== null) updated.delete(data)
}

/** True if the page can be shown while its outdated data is loaded again. */
export function showsOwnChange(data: unknown): boolean {
  return typeof data === 'object' && data !== null && updated.has(data)
}
