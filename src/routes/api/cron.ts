import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { answerCron } from '#server/http/answer/cron-answer.ts'

/** For the scheduler of a serverless host. */
export const Route = createFileRoute('/api/cron')({
  server: {
    handlers: {
      GET: ({ request, context }) => answerCron(context.services, request),
      ANY: methodNotAllowed('GET'),
    },
  },
})
