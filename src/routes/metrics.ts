import { createFileRoute } from '@tanstack/react-router'
import { answerMetrics } from '#server/http/answer/metrics-answer.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

/** Metrics for Prometheus, with a token. */
export const Route = createFileRoute('/metrics')({
  server: {
    handlers: {
      GET: ({ request, context }) => answerMetrics(context.services, request),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
