import type { Json, JsonObject } from '#protocol/json.ts'
import { setOwn } from '#server/scrub/meta-tree.ts'

/**
 * Copies an object under new names, in the same order. Names without an entry in `cleanNames` are not
 * changed. Of fields with the same new name the first keeps it, and the others get a number: `[token]`,
 * `[token] 2`, `[token] 3`.
 *
 * Takes time linear in the number of fields, even if all of them get one name: the numbers of a name are
 * counted up, and not searched from the beginning.
 */
export function renameFields(source: JsonObject, cleanNames: ReadonlyMap<string, string>): JsonObject {
  const copy: JsonObject = {}
  const lastNumbers = new Map<string, number>()
  for (const name in source) {
    const cleanName = cleanNames.get(name) ?? name
    setOwn(copy, findFreeName(copy, cleanName, lastNumbers), source[name] ?? null)
  }
  return copy
}

function findFreeName(copy: Record<string, Json>, name: string, lastNumbers: Map<string, number>): string {
  if (!Object.hasOwn(copy, name)) return name
  let number = lastNumbers.get(name) ?? 1
  let numbered: string
  do {
    number += 1
    numbered = `${name} ${number}`
  } while (Object.hasOwn(copy, numbered))
  lastNumbers.set(name, number)
  return numbered
}
