import { createFileRoute } from '@tanstack/react-router'
import { failureOf } from '#monitoring/failure-of.ts'
import { release } from '#monitoring/release.ts'
import { handleMcpRequest } from '#server/mcp/handle-mcp-request.ts'

/** The Model Context Protocol, for coding agents. */
export const Route = createFileRoute('/mcp')({
  server: {
    handlers: {
      ANY: async ({ request, context }) => {
        try {
          return await handleMcpRequest(context.services, request, release)
        } catch (thrown) {
          const { digest } = failureOf(thrown)
          return Response.json({ detail: 'Internal Error', errorId: digest }, { status: 500 })
        }
      },
    },
  },
})
