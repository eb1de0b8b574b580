import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { redirectTo } from '#server/forms/redirect.ts'

/** Sentry's URL of an issue, to which Grafana and other clients link. */
export const Route = createFileRoute('/organizations/$org/issues/$issueId')({
  server: {
    handlers: {
      GET: ({ params: { issueId } }) => redirectTo(`/issues/${encodeURIComponent(issueId)}`),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
