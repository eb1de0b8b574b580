import { createFileRoute } from '@tanstack/react-router'
import { failureOf } from '#monitoring/failure-of.ts'
import { handleApiRequest } from '#server/api/handle-api-request.ts'
import { isApiPath } from '#server/http/api-path.ts'

/** The API for tools. Any other path below /api, where no page is, is a 404 in JSON. */
export const Route = createFileRoute('/api/$')({
  server: {
    handlers: {
      ANY: async ({ request, context, pathname }) => {
        if (!isApiPath(pathname)) return Response.json({ detail: 'not found' }, { status: 404 })
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
