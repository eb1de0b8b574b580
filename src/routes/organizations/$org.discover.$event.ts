import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { redirectTo } from '#server/forms/redirect.ts'

/** Sentry's URL of an event, `PROJECT:EVENT`, to which Grafana links. */
export const Route = createFileRoute('/organizations/$org/discover/$event')({
  server: {
    handlers: {
      GET: ({ params: { event } }) =>
        redirectTo(`/events/${encodeURIComponent(event.slice(event.lastIndexOf(':') + 1))}`),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
