import type { McpServer } from '@modelcontextprotocol/server'
import type * as v from 'valibot'
import { failureOf } from '#monitoring/failure-of.ts'
import type { ApiServices } from '#server/api/api-route.ts'
import { describeUnavailability } from '#server/api/unavailability.ts'
import type { TokenScope } from '#server/auth/token-scopes.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { cutToWeight } from '#server/console/events/text-weight.ts'
import { limits } from '#server/limits.ts'
import { toStandardSchema } from './standard-schema.ts'

/** The caller of a tool, and the services it uses. */
export interface ToolCall {
  services: ApiServices
  viewer: Viewer
  scopes: readonly TokenScope[]
}

/** An error of the caller: the message states the problem and the solution. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

interface ToolDefinition<Input extends v.GenericSchema> {
  name: string
  /** What the tool returns and when to call it. Short, because it is part of every request of a model. */
  description: string
  scope: TokenScope
  input: Input
  /** Markdown. Throws a `ToolError`. */
  handle: (call: ToolCall, input: v.InferOutput<Input>) => Promise<string>
}

/** A tool of `/mcp`. */
export interface McpTool {
  name: string
  scope: TokenScope
  register: (server: McpServer, call: ToolCall) => void
}

/** Defines a tool; one with the scope `event:write` changes issues. */
export function defineTool<Input extends v.GenericSchema>(tool: ToolDefinition<Input>): McpTool {
  const { name, description, scope, input, handle } = tool
  const readOnlyHint = scope !== 'event:write'
  return {
    name,
    scope,
    register(server, call) {
      const inputSchema = toStandardSchema(input)
      const annotations = { readOnlyHint, destructiveHint: false, openWorldHint: false }
      server.registerTool(name, { description, inputSchema, annotations }, async (value) => {
        const { services, viewer } = call
        try {
          const own = readOnlyHint ? await services.reads.servicesFor(services, viewer) : services
          const text = await handle({ ...call, services: own }, value)
          if (!readOnlyHint) await services.reads.noteWrite(viewer.userId)
          return { content: [{ type: 'text', text }] }
        } catch (thrown) {
          return { isError: true, content: [{ type: 'text', text: toErrorText(thrown) }] }
        }
      })
    },
  }
}

function toErrorText(thrown: unknown): string {
  if (thrown instanceof ToolError) return cutToWeight(thrown.message, limits.agentErrorCharacters)
  return (
    describeUnavailability(thrown) ?? `Internal error, logged by the server as ${failureOf(thrown).digest}.`
  )
}
