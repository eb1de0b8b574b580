const origins = new WeakMap<object, string>()

/** Remembers which query a page's data came from, by the query's hash. */
export function rememberOrigin(data: unknown, queryHash: string): void {
  if (typeof data === 'object' && data !== null) origins.set(data, queryHash)
}

/** The hash of the query that a loader's data came from; undefined for data that no loader of this tab has read. */
export function findOrigin(data: unknown): string | undefined {
  return typeof data === 'object' && data !== null ? origins.get(data) : undefined
}
