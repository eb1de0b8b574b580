import { createFileRoute } from '@tanstack/react-router'
import { answerMonitorBadge } from '#server/console/monitors/badge.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

/** The badge of a monitor, for other sites. The URL is secret. */
export const Route = createFileRoute('/badge/$project/$secret')({
  server: {
    handlers: {
      GET: ({ params: { project, secret }, context: { services } }) =>
        answerMonitorBadge(services, { projectId: project, secret }),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
