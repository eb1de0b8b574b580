import { createFileRoute } from '@tanstack/react-router'
import { requestReader } from '#server/auth/session-middleware.functions.ts'
import { findDeadLetterDownload } from '#server/console/events/downloads.ts'
import { answerDownload } from '#server/http/answer/download-answer.ts'
import { methodNotAllowed } from './-frame/method-not-allowed.ts'
import { signInNeeded } from './-frame/sign-in-needed.ts'

/** The bytes of a dead letter as received, as a download. */
export const Route = createFileRoute('/outcomes_/dead-letters_/$projectId/$letterId')({
  server: {
    middleware: [requestReader],
    handlers: {
      GET: async ({ params: { projectId, letterId: id }, context }) => {
        const { services, viewer } = context
        if (viewer === undefined) return signInNeeded()
        return answerDownload(await findDeadLetterDownload(services, viewer, { projectId, id }))
      },
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
