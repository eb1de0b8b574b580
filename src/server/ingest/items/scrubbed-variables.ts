import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'

/** Fields of an event that contain stack traces. */
const traceFields = new Set(['exception', 'threads', 'stacktrace'])

/**
 * True if scrubbing has changed only variables of stack frames and `_meta`. Neither affects the index, so the
 * event need not be normalized again, which would take half of the time of events with variables.
 *
 * Scrubbing returns unchanged parts as the same objects, so only changed parts are compared.
 */
export function isScrubbedInVariablesOnly(before: JsonObject, after: JsonObject): boolean {
  return areEqualExcept(before, after, (name, one, other) => {
    if (name === '_meta') return true
    return traceFields.has(name) && isSameTrace(one, other, name)
  })
}

/** `name` is the field or list that contains the values. */
function isSameTrace(before: Json, after: Json, name: string): boolean {
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || after.length !== before.length) return false
    return before.every((one, index) => {
      const other = after[index] ?? null
      return one === other || isSameTrace(one, other, name)
    })
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return false
  // The index uses variables of frames without a function name.
  const isNamedFrame = name === 'frames' && hasName(before)
  return areEqualExcept(
    before,
    after,
    (field, one, other) => (field === 'vars' && isNamedFrame) || isSameTrace(one, other, field),
  )
}

/** `?` stands for a function without a name. */
function hasName({ function: name }: JsonObject): boolean {
  return typeof name === 'string' && /\w/.test(name)
}

/** Compares the fields of two objects; `isEqual` compares fields with different values. */
function areEqualExcept(
  before: JsonObject,
  after: JsonObject,
  isEqual: (name: string, one: Json, other: Json) => boolean,
): boolean {
  for (const name in after) {
    const [one, other] = [before[name], after[name]]
    if (one !== other && !isEqual(name, one ?? null, other ?? null)) return false
  }
  for (const name in before) if (!Object.hasOwn(after, name)) return false
  return true
}
