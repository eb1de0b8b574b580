import { createFileRoute } from '@tanstack/react-router'
import { handleIngestRequest } from '#server/http/web.ts'

/** The same intake that the Node front answers before Start, for hosts without that front. */
export const Route = createFileRoute('/api/$projectId/store')({
  server: {
    handlers: {
      ANY: ({ request, context }) => handleIngestRequest(context.services, request),
    },
  },
})
