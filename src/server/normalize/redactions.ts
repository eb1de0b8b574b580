import type { Redaction } from '#protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'

/**
 * Parses an event's `_meta` for positions that Culvert or the SDK has scrubbed; at most `limits.redactions`.
 * Truncated values (`!limit`) are not included.
 */
export function readRedactions(meta: Json | undefined): Redaction[] {
  if (!isJsonObject(meta)) return []
  const redactions: Redaction[] = []
  const open: { node: JsonObject; path: string }[] = [{ node: meta, path: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, path } = next
    const children: typeof open = []
    for (const name in node) {
      const child = node[name]
      if (!isJsonObject(child)) continue
      const rules = name === '' ? listRules(child['rem']) : []
      if (rules.length > 0) redactions.push({ field: path, rules })
      if (redactions.length === limits.redactions) return redactions
      if (name !== '') children.push({ node: child, path: join(path, name) })
    }
    // The stack is read from its end. Pushed one by one: a call accepts some 100,000 arguments at most, and a
    // node may have more children.
    for (const child of children.toReversed()) open.push(child)
  }
  return redactions
}

/** A path grows with its depth, which a hostile client can choose. */
function join(path: string, name: string): string {
  return (path === '' ? name : `${path}.${name}`).slice(0, limits.redactionPathCharacters)
}

function listRules(remarks: Json | undefined): string[] {
  if (!Array.isArray(remarks)) return []
  const rules = new Set<string>()
  for (const remark of remarks.slice(0, limits.scrubRemarksPerValue)) {
    const rule: Json | undefined = Array.isArray(remark) ? remark[0] : undefined
    if (typeof rule === 'string' && rule !== '' && !rule.startsWith('!')) {
      rules.add(rule.slice(0, limits.nameCharacters))
    }
  }
  return [...rules]
}
