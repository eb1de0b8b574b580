import { createFileRoute } from '@tanstack/react-router'
import { readReadinessAnswer } from '#server/http/answer/readiness-answer.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'

/** The same check that the Node front answers before Start, for hosts without that front. */
export const Route = createFileRoute('/readyz')({
  server: {
    handlers: {
      GET: async ({ context }) => {
        const { status, body } = await readReadinessAnswer(context.services.readiness)
        return Response.json(body, { status, headers: { 'cache-control': 'no-store' } })
      },
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
