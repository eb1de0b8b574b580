import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import type * as v from 'valibot'
import { toJsonSchema } from '#server/api/json-schema.ts'

/** A valibot schema with its JSON Schema, as the protocol's library requires. */
export function toStandardSchema<Schema extends v.GenericSchema>(
  schema: Schema,
): StandardSchemaWithJSON<v.InferInput<Schema>, v.InferOutput<Schema>> {
  const json = () => toJsonSchema(schema)
  return { '~standard': { ...schema['~standard'], jsonSchema: { input: json, output: json } } }
}
