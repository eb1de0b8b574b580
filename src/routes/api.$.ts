import { createFileRoute } from '@tanstack/react-router'
import { handleIngestRequest } from '#server/http/web.ts'

/** Everything else below /api: SDKs' old `/api/store/`, and for the rest a 404 in JSON instead of the console's page. */
export const Route = createFileRoute('/api/$')({
  server: {
    handlers: {
      ANY: ({ request, context }) => handleIngestRequest(context.services, request),
    },
  },
})
