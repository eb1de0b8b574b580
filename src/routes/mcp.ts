import { createFileRoute } from '@tanstack/react-router'
import { failureOf } from '#monitoring/failure-of.ts'
import { release } from '#monitoring/release.ts'
import { handleMcpRequest } from '#server/mcp/handle-mcp-request.ts'
import { appConfig } from '../../app.config.ts'

/** The Model Context Protocol, for coding agents. */
export const Route = createFileRoute('/mcp')({
  server: {
    handlers: {
      ANY: async ({ request, context }) => {
        try {
          return await handleMcpRequest(context.services, request, release)
        } catch (thrown) {
          const { digest, isUnavailable } = failureOf(thrown)
          const headers = { 'retry-after': String(appConfig.unavailableRetrySeconds) }
          return isUnavailable
            ? Response.json({ detail: appConfig.failurePage.unavailableSentence }, { status: 503, headers })
            : Response.json({ detail: 'Internal Error', errorId: digest }, { status: 500 })
        }
      },
    },
  },
})
