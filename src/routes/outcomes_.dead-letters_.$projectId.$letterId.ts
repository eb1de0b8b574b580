import { createFileRoute } from '@tanstack/react-router'
import { findDeadLetterDownload } from '#server/console/downloads.ts'
import { answerDownload } from '#server/http/download-answer.ts'
import { methodNotAllowed } from './-method-not-allowed.ts'

/** The bytes of a dead letter as they came, to save. */
export const Route = createFileRoute('/outcomes_/dead-letters_/$projectId/$letterId')({
  server: {
    handlers: {
      GET: async ({ params: { projectId, letterId: id }, context }) =>
        answerDownload(await findDeadLetterDownload(context.services, { projectId, id })),
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
