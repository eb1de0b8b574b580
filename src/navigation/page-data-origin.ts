const origins = new WeakMap<object, string>()

/** Maps a page's data to its query, by the query's hash. */
export function rememberOrigin(data: unknown, queryHash: string): void {
  if (typeof data === 'object' && data !== null) origins.set(data, queryHash)
}

/** The hash of the query of a loader's data; undefined for data that this tab has not loaded. */
export function findOrigin(data: unknown): string | undefined {
  return typeof data === 'object' && data !== null ? origins.get(data) : undefined
}
