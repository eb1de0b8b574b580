/** Page data that already shows a change of the user, before it is loaded again. */
const updated = new WeakSet<object>()

/** Notes whether an optimistic update changed this data. */
export function noteOwnChange(data: unknown, { isUpdated }: { isUpdated: boolean }): void {
  if (typeof data !== 'object' || data === null) return
  if (isUpdated) updated.add(data)
  else updated.delete(data)
}

/** True if the data shows the user's last change. Its page can be shown while the data is loaded again. */
export function showsOwnChange(data: unknown): boolean {
  return typeof data === 'object' && data !== null && updated.has(data)
}
