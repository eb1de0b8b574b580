import { createFileRoute } from '@tanstack/react-router'
import { requestViewer } from '#server/auth/access.functions.ts'
import { findEventMarkdown } from '#server/console/downloads.ts'
import { answerText } from '#server/http/text-answer.ts'
import { methodNotAllowed } from './-method-not-allowed.ts'
import { signInNeeded } from './-sign-in-needed.ts'

/** An event and its issue as Markdown, to read or to copy: `?for=llm` for a language model. */
export const Route = createFileRoute('/events/$eventId_/markdown')({
  server: {
    middleware: [requestViewer],
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
