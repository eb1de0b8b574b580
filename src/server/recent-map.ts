/** A map of bounded size that forgets what was not asked for longest. */
export interface RecentMap<Value> {
  /** The value of a key, made by `create` when it is not there. */
  get(key: string, create: () => Value): Value
  /** How many it holds. */
  readonly size: number
}

/** An empty map of at most `capacity` entries. */
export function createRecentMap<Value>(capacity: number): RecentMap<Value> {
  // A Map keeps the order of insertion: what is used is put at the end, so that the first is the oldest.
  const values = new Map<string, Value>()
  let latest: string | undefined
  return {
    get(key, create) {
      const known = values.get(key)
      // It stands at the end already. Taking it out and putting it in again makes the map grow and shrink all the time.
      if (known !== undefined && key === latest) return known
      latest = key
      const value = known ?? create()
      if (known !== undefined) values.delete(key)
      values.set(key, value)
      if (values.size > capacity) {
        const oldest = values.keys().next()
        if (oldest.done !== true) values.delete(oldest.value)
      }
      return value
    },
    get size() {
      return values.size
    },
  }
}
