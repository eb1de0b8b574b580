import { tokenScopes } from '#server/auth/token-scopes.ts'
import type { ApiRoute } from './api-route.ts'
import { apiRoutes } from './api-routes.ts'
import { toJsonSchema } from './json-schema.ts'

/** Generates the OpenAPI 3.1 document from the route table. */
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
      description: 'A subset of Sentry’s web API, for sentry-cli, editors and dashboards.',
    },
    servers: [{ url: `${origin}/api/0` }],
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token created under /settings/tokens.' },
      },
      responses: Object.fromEntries(
        Object.entries(rejectionTexts).map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: { type: 'object' } } } },
        ]),
      ),
    },
    'x-scopes': tokenScopes,
    paths,
  }
}

function describeRoute(route: ApiRoute) {
  const { method, path, scope, summary, query = {} } = route
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
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/\W+(\w)/g, (_all, first: string) => first.toUpperCase()).replace(/\W$/, '')}`,
    summary,
    ...(scope !== undefined && { description: `Needs the scope \`${scope}\`.` }),
    parameters: [...inPath, ...inQuery],
    ...describeBody(route),
    responses: describeResponses(route),
  }
}

function describeBody({ body, takesForm }: ApiRoute) {
  if (takesForm === true) {
    const files = { type: 'object', additionalProperties: { type: 'string', format: 'binary' } }
    return { requestBody: { content: { 'multipart/form-data': { schema: files } } } }
  }
  return body && { requestBody: { content: { 'application/json': { schema: toJsonSchema(body) } } } }
}

function describeResponses({ scope, answers, statuses = [200], isPaged, body }: ApiRoute) {
  const done = {
    description: 'Done',
    ...(isPaged === true && { headers: { Link: linkHeader } }),
    ...(answers && { content: { 'application/json': { schema: toJsonSchema(answers) } } }),
  }
  const rejections = [
    ...(body || isPaged === true ? [400] : []),
    401,
    ...(scope === undefined ? [] : [403, 404]),
    429,
  ]
  const responses: Record<string, Record<string, unknown>> = {}
  for (const status of statuses) responses[status] = done
  for (const status of rejections) responses[status] = { $ref: `#/components/responses/${status}` }
  return responses
}

const linkHeader = {
  description: 'Sentry’s: `<…>; rel="next"; results="true"; cursor="…"`. Follow it until `results="false"`.',
  schema: { type: 'string' },
}

const rejectionTexts = {
  400: 'Invalid request: `detail`, or each invalid field with a reason.',
  401: 'The token is missing or invalid.',
  403: 'The token’s scopes or the user’s role do not allow it.',
  404: 'Not found, or no access.',
  429: 'The token exceeded its rate limit; see `Retry-After`.',
}
