import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { errorAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiServices } from '#server/api/api-route.ts'
import { authenticateToken } from '#server/api/authenticate-token.ts'
import { limits } from '#server/limits.ts'
import type { ToolCall } from './tool.ts'
import { mcpTools } from './tools.ts'

/**
 * Handles a request to `/mcp`, the Model Context Protocol for coding agents: revision 2026-07-28, and the
 * handshake of older ones, both without a session. An API token authenticates it, and its scopes determine
 * the available tools. Cookies are ignored, and a page of another site is rejected. `version`: of the build.
 */
export async function handleMcpRequest(
  services: ApiServices,
  request: Request,
  version: string,
): Promise<Response> {
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== services.publicOrigin)
    return toResponse(errorAnswer(403, 'Requests from pages of other sites are not accepted.'))
  const caller = await authenticateToken(services, request.headers)
  if (!caller.ok) return toResponse(caller.error)
  const { viewer, scopes, headers } = caller
  const handler = createMcpHandler(() => createServer({ services, viewer, scopes }, version), {
    responseMode: 'json',
    maxRequestBodySize: limits.agentRequestBytes,
    maxSubscriptions: 0,
  })
  const response = await handler.fetch(request)
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  response.headers.set('cache-control', 'no-store')
  return response
}

const instructions =
  'Culvert stores the errors of applications. Start with `find` for a digest, an id or a URL, else with `search_issues`; then `get_issue` has the whole context in one call.'

function createServer(call: ToolCall, version: string): McpServer {
  const server = new McpServer({ name: 'culvert', version }, { instructions })
  for (const tool of mcpTools) {
    if (call.scopes.includes(tool.scope)) tool.register(server, call)
  }
  return server
}

function toResponse({ status, body, headers }: ApiAnswer): Response {
  const own: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers, ...own } })
}
