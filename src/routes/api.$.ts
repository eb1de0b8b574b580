import { createFileRoute } from '@tanstack/react-router'
import { failureOf } from '#monitoring/failure-of.ts'
import { isApiPath } from '#server/api/api-path.ts'
import { handleApiRequest } from '#server/api/handle-api-request.ts'
import { handleIngestRequest } from '#server/http/web.ts'

/**
 * The API for tools, and everything else below /api: SDKs' old `/api/store/`, and for the rest a 404 in JSON instead of the
 * console's page.
 */
export const Route = createFileRoute('/api/$')({
  server: {
    handlers: {
      ANY: async ({ request, context, pathname }) => {
        if (!isApiPath(pathname)) return handleIngestRequest(context.services, request)
        try {
          return await handleApiRequest(context.services, request)
        } catch (thrown) {
          const { digest } = failureOf(thrown)
          return Response.json({ detail: 'Internal Error', errorId: digest }, { status: 500 })
        }
      },
    },
  },
})
