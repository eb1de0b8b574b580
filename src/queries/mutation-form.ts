import { useQueryClient } from '@tanstack/react-query'
import { isNotFound, useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { failureOf } from '#monitoring/failure-of.ts'
import { failedOffline } from '#navigation/connection.ts'
import { showNotice } from '#navigation/notices.ts'
import { restoreFocus } from '#navigation/restore-focus.ts'
import type { PageStore } from './changed-data.ts'
import { notThere, runMutation } from './mutation.ts'
import type { Mutation, TakeBack } from './mutation.ts'

/** Why a change was not made, for the person who wanted it. */
interface MutationFailure {
  text: string
  digest?: string
}

/** What a form needs to make a change: without JavaScript its address, with it the rest. */
export interface MutationForm {
  url: string
  isPending: boolean
  failure?: MutationFailure
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
}

/** The second click of a double click would hit whatever stands in the place of the button by then. */
const doubleClickMs = 500

/** The form of a mutation. What was done is said in the notice line, with "Undo"; what failed is said in the form. */
export function useMutationForm<TInput, TResult>(mutation: Mutation<TInput, TResult>): MutationForm {
  const pages: PageStore = { queryClient: useQueryClient(), router: useRouter() }
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<MutationFailure>()
  const submittedAt = useRef(Number.NEGATIVE_INFINITY)

  async function submit(input: TInput, control: Element | null): Promise<void> {
    setPending(true)
    setFailure(undefined)
    showNotice(undefined)
    const outcome = await runMutation(mutation, input, pages)
    setPending(false)
    if (outcome.isDone) tellDone(mutation, { input, result: outcome.result, pages, control })
    else setFailure(describeFailure(mutation.notDone, outcome.thrown))
  }

  return {
    url: mutation.url,
    isPending,
    ...(failure !== undefined && { failure }),
    onSubmit(event) {
      event.preventDefault()
      if (isPending || event.timeStamp - submittedAt.current < doubleClickMs) return
      submittedAt.current = event.timeStamp
      const { submitter } = event.nativeEvent
      void submit(mutation.parseForm(new FormData(event.currentTarget, submitter)), submitter)
    },
  }
}

interface Done<TInput, TResult> {
  input: TInput
  result: TResult
  pages: PageStore
  /** What the person pressed. */
  control: Element | null
}

/** Says it, and offers to take it back; what was taken back is said, too, and that is the end of it. */
function tellDone<TInput, TResult>(
  mutation: Mutation<TInput, TResult>,
  { input, result, pages, control }: Done<TInput, TResult>,
): void {
  const { text, undo, leadsTo } = mutation.conclude(input, result)
  if (leadsTo !== undefined) void pages.router.navigate({ href: leadsTo })
  showNotice({ text, ...(undo !== undefined && { onUndo: () => void takeBack(undo) }) })

  async function takeBack(undoIt: TakeBack): Promise<void> {
    showNotice(undefined)
    // The button that was pressed is gone with the notice.
    restoreFocus(control)
    const outcome = await undoIt(pages)
    if (outcome.isDone) showNotice({ text: outcome.text })
    else showNotice({ ...describeFailure(outcome.notDone, outcome.thrown), isFailure: true })
  }
}

function describeFailure(notDone: string, thrown: unknown): MutationFailure {
  if (isNotFound(thrown)) return { text: `${notDone} ${notThere}` }
  if (failedOffline(thrown)) return { text: `${notDone} You are offline.` }
  if (isUnanswered(thrown)) {
    return {
      text: 'The server did not answer. Whether the change was made shows here when it answers again.',
    }
  }
  return { text: notDone, digest: failureOf(thrown).digest }
}

/** What fetch throws for a network that fails, and for a time that is up. */
function isUnanswered(thrown: unknown): boolean {
  return thrown instanceof TypeError || (thrown instanceof DOMException && thrown.name === 'TimeoutError')
}
