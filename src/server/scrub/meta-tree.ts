import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'

/** Returns a field's name without the secrets in it. */
export type CleanName = (name: string) => string

/**
 * The parts of a received `_meta` that are kept: remarks and lengths. Errors are dropped, because they quote
 * the values. The result is a copy; `isClean` is true if nothing was omitted.
 */
export function cleanMeta(sent: Json, cleanName: CleanName): { meta: JsonObject; isClean: boolean } {
  const copy = new MetaCopy(cleanName)
  return { meta: isJsonObject(sent) ? copy.node(sent, 0) : {}, isClean: copy.isClean && isJsonObject(sent) }
}

class MetaCopy {
  isClean = true
  private readonly cleanName: CleanName

  constructor(cleanName: CleanName) {
    this.cleanName = cleanName
  }

  node(source: JsonObject, depth: number): JsonObject {
    const copy: JsonObject = {}
    for (const name in source) {
      const value = source[name] ?? null
      const isKept = isJsonObject(value) && depth < limits.scrubDepth
      if (!isKept || this.cleanName(name) !== name) this.isClean = false
      else setOwn(copy, name, name === '' ? this.about(value) : this.node(value, depth + 1))
    }
    return copy
  }

  private about(source: JsonObject): JsonObject {
    const copy: JsonObject = {}
    for (const name in source) {
      const value = source[name] ?? null
      if (name === 'len' && typeof value === 'number') copy['len'] = value
      else if (name === 'rem' && Array.isArray(value) && value.every(isRemark)) copy['rem'] = [...value]
      else this.isClean = false
    }
    return copy
  }
}

function isRemark(value: Json): boolean {
  if (!Array.isArray(value)) return false
  const [rule, type, ...range] = value
  return (
    typeof rule === 'string' &&
    rule.length <= 64 &&
    typeof type === 'string' &&
    type.length === 1 &&
    range.length <= 2 &&
    range.every((position) => typeof position === 'number')
  )
}

/** The node of a field below a node, which is created if there is none. */
export function childOf(node: JsonObject, name: string): JsonObject {
  const known = Object.hasOwn(node, name) ? node[name] : undefined
  if (isJsonObject(known)) return known
  const child: JsonObject = {}
  setOwn(node, name, child)
  return child
}

/** Sets a field of any name: assigning to `__proto__` would change the object's prototype. */
export function setOwn(object: JsonObject, name: string, value: Json): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}
