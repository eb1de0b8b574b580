/** True for an object without fields. Faster than counting keys, which matters on every event. */
export function isEmpty(object: object): boolean {
  for (const _ in object) return false
  return true
}

/** The object itself, or undefined if it has no fields. */
export function nonEmpty<T extends object>(object: T): T | undefined {
  return isEmpty(object) ? undefined : object
}
