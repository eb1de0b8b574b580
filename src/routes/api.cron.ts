import { createFileRoute } from '@tanstack/react-router'
import { answerCron } from '#server/http/answer/cron-answer.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

/** For the scheduler of a serverless host. */
export const Route = createFileRoute('/api/cron')({
  server: {
    handlers: {
      GET: ({ request, context }) => answerCron(context.services, request),
      ANY: methodNotAllowed('GET'),
    },
  },
})
