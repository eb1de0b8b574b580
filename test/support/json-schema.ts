import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'

const Keywords = v.object({
  type: v.optional(v.string()),
  const: v.optional(v.unknown()),
  enum: v.optional(v.array(v.unknown())),
  not: v.optional(v.unknown()),
  anyOf: v.optional(v.array(v.unknown())),
  items: v.optional(v.unknown()),
  prefixItems: v.optional(v.array(v.unknown())),
  properties: v.optional(v.record(v.string(), v.unknown())),
  required: v.optional(v.array(v.string())),
  additionalProperties: v.optional(v.unknown()),
})

/** Where a value violates a JSON Schema, for the keywords of the API's document: `$.projects[0].id: …`. */
export function findMisfits(schema: unknown, value: unknown, at = '$'): string[] {
  const keywords = v.parse(Keywords, schema)
  if (keywords.not !== undefined) return [`${at}: nothing fits`]
  if ('const' in keywords && !isDeepStrictEqual(keywords.const, value)) return [`${at}: another value`]
  if (keywords.enum?.includes(value) === false) return [`${at}: ${JSON.stringify(value)} is not a choice`]
  if (keywords.anyOf !== undefined) {
    const tried = keywords.anyOf.map((each) => findMisfits(each, value, at))
    return tried.some((misfits) => misfits.length === 0) ? [] : (tried[0] ?? [`${at}: no choice fits`])
  }
  if (keywords.type !== undefined && keywords.type !== typeOf(value))
    return [`${at}: ${typeOf(value)} instead of ${keywords.type}`]
  if (Array.isArray(value)) return findMisfitItems(keywords, value, at)
  return typeof value === 'object' && value !== null
    ? findMisfitFields(keywords, new Map(Object.entries(value)), at)
    : []
}

type Keywords = v.InferOutput<typeof Keywords>

function findMisfitItems({ items, prefixItems = [] }: Keywords, values: unknown[], at: string): string[] {
  return values.flatMap((each, index) => {
    const schema = prefixItems[index] ?? items
    return schema === undefined ? [] : findMisfits(schema, each, `${at}[${index}]`)
  })
}

function findMisfitFields(
  { properties = {}, required = [], additionalProperties }: Keywords,
  fields: Map<string, unknown>,
  at: string,
): string[] {
  const missing = required.filter((name) => !fields.has(name)).map((name) => `${at}.${name}: missing`)
  const wrong = [...fields].flatMap(([name, value]) => {
    const schema = properties[name] ?? additionalProperties
    if (schema === false) return [`${at}.${name}: not documented`]
    return schema === undefined ? [] : findMisfits(schema, value, `${at}.${name}`)
  })
  return [...missing, ...wrong]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
