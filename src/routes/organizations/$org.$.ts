import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { toPageOfSentry } from '#server/console/sentry-pages.ts'
import { redirectTo } from '#server/forms/redirect.ts'

/** Sentry's URLs of pages, to which Grafana, command lines and agents link. */
export const Route = createFileRoute('/organizations/$org/$')({
  server: {
    handlers: {
      GET: ({ request }) => redirectTo(toPageOfSentry(new URL(request.url))),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
