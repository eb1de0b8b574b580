/** True for an object without fields. Quicker than counting keys, which matters on every event. */
export function isEmpty(object: object): boolean {
  for (const _ in object) return false
  return true
}

/** The object itself, or undefined when nothing could be read into it. */
export function nonEmpty<T extends object>(object: T): T | undefined {
  return isEmpty(object) ? undefined : object
}
