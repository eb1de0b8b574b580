interface Entry<Key, Value> {
  key: Key
  value: Value
  weight: number
  older: Entry<Key, Value> | undefined
  newer: Entry<Key, Value> | undefined
}

/**
 * An LRU cache bounded by the number of entries, or by total weight if `weigh` is given. The latest entry
 * always stays, regardless of its weight.
 *
 * The order of use is a linked list: deleting and reinserting a key in a `Map` at each read causes rehashing.
 */
export class BoundedMap<Key, Value> {
  private readonly capacity: number
  private readonly weigh: (value: Value) => number
  private readonly entries = new Map<Key, Entry<Key, Value>>()
  private oldest: Entry<Key, Value> | undefined
  private newest: Entry<Key, Value> | undefined
  private totalWeight = 0

  constructor(capacity: number, weigh: (value: Value) => number = () => 1) {
    this.capacity = capacity
    this.weigh = weigh
  }

  /** Number of entries. */
  get size(): number {
    return this.entries.size
  }

  /** Sum of the weights; the number of entries without `weigh`. */
  get weight(): number {
    return this.totalWeight
  }

  /** Returns the value of a key and marks it as most recently used. */
  get(key: Key): Value | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    this.touch(entry)
    return entry.value
  }

  /** Returns the value of a key. If there is none, calls `create` and stores its result. */
  getOrCreate(key: Key, create: () => Value): Value {
    const entry = this.entries.get(key)
    if (entry !== undefined) {
      this.touch(entry)
      return entry.value
    }
    const value = create()
    this.set(key, value)
    return value
  }

  /** Adds or replaces a value and marks it as most recently used. */
  set(key: Key, value: Value): void {
    const entry = this.replace(key, value) ?? this.add(key, value)
    while (this.totalWeight > this.capacity && this.oldest !== undefined && this.oldest !== entry)
      this.delete(this.oldest.key)
  }

  /** Deletes a key, if present. */
  delete(key: Key): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    this.entries.delete(key)
    this.totalWeight -= entry.weight
    this.unlink(entry)
  }

  /** Deletes all entries. */
  clear(): void {
    this.entries.clear()
    this.oldest = undefined
    this.newest = undefined
    this.totalWeight = 0
  }

  /** Iterates over the entries, least recently used first, without marking them as used. */
  *[Symbol.iterator](): Generator<[Key, Value]> {
    for (let entry = this.oldest; entry !== undefined; entry = entry.newer) yield [entry.key, entry.value]
  }

  private replace(key: Key, value: Value): Entry<Key, Value> | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    const weight = this.weigh(value)
    this.totalWeight += weight - entry.weight
    entry.value = value
    entry.weight = weight
    this.touch(entry)
    return entry
  }

  private add(key: Key, value: Value): Entry<Key, Value> {
    const entry = { key, value, weight: this.weigh(value), older: undefined, newer: undefined }
    this.entries.set(key, entry)
    this.totalWeight += entry.weight
    this.append(entry)
    return entry
  }

  private touch(entry: Entry<Key, Value>): void {
    if (entry === this.newest) return
    this.unlink(entry)
    this.append(entry)
  }

  private append(entry: Entry<Key, Value>): void {
    entry.older = this.newest
    entry.newer = undefined
    if (this.newest === undefined) this.oldest = entry
    else this.newest.newer = entry
    this.newest = entry
  }

  private unlink({ older, newer }: Entry<Key, Value>): void {
    if (older === undefined) this.oldest = newer
    else older.newer = newer
    if (newer === undefined) this.newest = older
    else newer.older = older
  }
}
