import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { redirectTo } from '#server/forms/redirect.ts'

/** Sentry's address of an issue, which Grafana and other clients link to. */
export const Route = createFileRoute('/organizations/$org/issues/$issueId')({
  server: {
    handlers: {
      GET: ({ params: { issueId } }) => redirectTo(`/issues/${encodeURIComponent(issueId)}`),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
