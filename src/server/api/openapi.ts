import type * as v from 'valibot'
import { tokenScopes } from '#server/auth/token-scopes.ts'
import type { ApiRoute } from './api-route.ts'
import { apiRoutes } from './api-routes.ts'

/** The API as an OpenAPI 3.1 document, made of the table that calls are dispatched by. */
export function createOpenApiDocument(origin: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of apiRoutes) {
    const path = (paths[route.path] ??= {})
    path[route.method.toLowerCase()] = describeRoute(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Culvert',
      version: '0',
      description: 'A part of Sentry’s web API: what sentry-cli, editors and dashboards call.',
    },
    servers: [{ url: `${origin}/api/0` }],
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token made under /settings/tokens.' },
      },
      schemas: { Error: { type: 'object', properties: { detail: { type: 'string' } } } },
    },
    'x-scopes': tokenScopes,
    paths,
  }
}

function describeRoute({ method, path, scope, summary, query = {}, body }: ApiRoute) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }))
  const error = { $ref: '#/components/schemas/Error' }
  const refused = { description: 'Refused', content: { 'application/json': { schema: error } } }
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/\W+(\w)/g, (_all, first: string) => first.toUpperCase()).replace(/\W$/, '')}`,
    summary,
    ...(scope !== undefined && { description: `Needs the scope \`${scope}\`.` }),
    parameters: [...inPath, ...inQuery],
    ...(body !== undefined && {
      requestBody: { content: { 'application/json': { schema: toJsonSchema(body) } } },
    }),
    responses: { '2XX': { description: 'Done' }, '4XX': refused },
  }
}

/** A schema of what is sent, as far as the routes use valibot. */
function toJsonSchema(schema: v.GenericSchema): Record<string, unknown> {
  const { type } = schema
  if (type === 'object' && 'entries' in schema) return toObjectSchema(schema.entries)
  if (type === 'array' && 'item' in schema && isSchema(schema.item))
    return { type: 'array', items: toJsonSchema(schema.item) }
  if (type === 'picklist' && 'options' in schema) return { enum: schema.options }
  if ((type === 'optional' || type === 'nullable' || type === 'nullish') && 'wrapped' in schema)
    return isSchema(schema.wrapped) ? toJsonSchema(schema.wrapped) : {}
  return ['string', 'number', 'boolean'].includes(type) ? { type } : {}
}

function toObjectSchema(entries: unknown): Record<string, unknown> {
  const fields = Object.entries(entries ?? {}).filter((entry): entry is [string, v.GenericSchema] =>
    isSchema(entry[1]),
  )
  const required = fields.filter(([, field]) => !['optional', 'nullish'].includes(field.type))
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, toJsonSchema(field)])),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
  }
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}
