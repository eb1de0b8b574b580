import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { answerTrackerReport } from '#server/trackers/answer-tracker-report.ts'

/** For webhooks of GitHub, GitLab, Jira and Linear. A signature is the access. */
export const Route = createFileRoute('/api/hooks/issues/$project')({
  server: {
    handlers: {
      POST: ({ request, params: { project }, context: { services } }) =>
        answerTrackerReport(services, request, project),
      ANY: methodNotAllowed('POST'),
    },
  },
})
