import { createFileRoute } from '@tanstack/react-router'
import { handleIngestRequest } from '#server/http/web.ts'

/** The tunnel: envelopes of the application's own pages, on its own origin. */
export const Route = createFileRoute('/monitoring')({
  server: {
    handlers: {
      ANY: ({ request, context }) => handleIngestRequest(context.services, request),
    },
  },
})
