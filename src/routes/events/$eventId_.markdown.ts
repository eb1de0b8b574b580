import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '#routes/-frame/method-not-allowed.ts'
import { signInNeeded } from '#routes/-frame/sign-in-needed.ts'
import { requestReader } from '#server/auth/session-middleware.functions.ts'
import { findEventMarkdown } from '#server/console/events/downloads.ts'
import { answerText } from '#server/http/answer/text-answer.ts'

/** An event and its issue as Markdown, to read or to copy: `?for=llm` for a language model. */
export const Route = createFileRoute('/events/$eventId_/markdown')({
  server: {
    middleware: [requestReader],
    handlers: {
      GET: async ({ params, context, request }) => {
        const { services, viewer } = context
        if (viewer === undefined) return signInNeeded()
        const reader = new URL(request.url).searchParams.get('for') === 'llm' ? 'llm' : 'person'
        return answerText(await findEventMarkdown(services, viewer, { eventId: params.eventId, reader }))
      },
      ANY: methodNotAllowed('GET, HEAD'),
    },
  },
})
