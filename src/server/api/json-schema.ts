import * as v from 'valibot'

/**
 * Converts a valibot schema to JSON Schema 2020-12, which OpenAPI 3.1 uses. Supports the schemas that the API
 * uses.
 */
export function toJsonSchema(schema: v.GenericSchema): Record<string, unknown> {
  const description = v.getDescription(schema)
  return { ...toPlainSchema(schema), ...(description !== undefined && { description }) }
}

function toPlainSchema(schema: v.GenericSchema): Record<string, unknown> {
  const { type } = schema
  if ('entries' in schema) return toObjectSchema(schema.entries, type === 'strict_object')
  if ('options' in schema) return toChoiceSchema(type, schema.options)
  if ('wrapped' in schema && isSchema(schema.wrapped)) return toWrappedSchema(type, schema.wrapped)
  if ('items' in schema && Array.isArray(schema.items)) {
    const items = schema.items.filter(isSchema).map(toJsonSchema)
    return { type: 'array', prefixItems: items, minItems: items.length, maxItems: items.length }
  }
  if ('item' in schema && isSchema(schema.item)) return { type: 'array', items: toJsonSchema(schema.item) }
  if (type === 'record' && 'value' in schema && isSchema(schema.value))
    return { type: 'object', additionalProperties: toJsonSchema(schema.value) }
  if (type === 'literal' && 'literal' in schema) return { const: schema.literal }
  if (type === 'never') return { not: {} }
  return ['string', 'number', 'boolean', 'null'].includes(type) ? { type } : {}
}

function toChoiceSchema(type: string, options: unknown): Record<string, unknown> {
  if (type === 'picklist') return { enum: options }
  return { anyOf: Array.isArray(options) ? options.filter(isSchema).map(toJsonSchema) : [] }
}

function toWrappedSchema(type: string, wrapped: v.GenericSchema): Record<string, unknown> {
  const inner = toJsonSchema(wrapped)
  return type === 'optional' ? inner : { anyOf: [inner, { type: 'null' }] }
}

function toObjectSchema(entries: unknown, isStrict: boolean): Record<string, unknown> {
  const fields = Object.entries(entries ?? {}).filter((entry): entry is [string, v.GenericSchema] =>
    isSchema(entry[1]),
  )
  const required = fields.filter(([, field]) => !['optional', 'nullish'].includes(field.type))
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, toJsonSchema(field)])),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    ...(isStrict && { additionalProperties: false }),
  }
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}
