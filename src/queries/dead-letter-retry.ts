import * as v from 'valibot'
import { deadLetterForm, retryDeadLetter } from '#server/console/outcomes/dead-letters.functions.ts'
import type { Mutation } from './changes/mutation.ts'

type RetryInput = v.InferOutput<typeof deadLetterForm>
type RetryResult = Awaited<ReturnType<typeof retryDeadLetter>>

/** Runs a dead letter again. What it makes is only known when it has been made, so nothing is foreseen. */
export const deadLetterRetry: Mutation<RetryInput, RetryResult> = {
  url: retryDeadLetter.url,
  parseForm: (form) => v.parse(deadLetterForm, Object.fromEntries(form)),
  send: retryDeadLetter,
  changes: () => [
    { queryKey: ['dead-letters'] },
    { queryKey: ['outcomes'] },
    { queryKey: ['issues'] },
    { queryKey: ['projects', 'list'] },
  ],
  foresee: () => undefined,
  notDone: 'The item was not run again.',
  conclude: (_input, { failure }) => ({
    text:
      failure === undefined
        ? 'Run again: the item has been taken in.'
        : `It failed again and is kept: ${failure}`,
  }),
}
