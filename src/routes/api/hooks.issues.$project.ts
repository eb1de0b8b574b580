import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { answerTrackerReport } from '#server/trackers/answer-tracker-report.ts'

/** Receives webhooks of GitHub, GitLab, Jira and Linear, authenticated by their signature. */
export const Route = createFileRoute('/api/hooks/issues/$project')({
  server: {
    handlers: {
      POST: ({ request, params: { project }, context: { services } }) =>
        answerTrackerReport(services, request, project),
      ANY: methodNotAllowed('POST'),
    },
  },
})
