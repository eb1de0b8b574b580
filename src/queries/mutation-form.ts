import { useQueryClient } from '@tanstack/react-query'
import { isNotFound, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { failureOf } from '#monitoring/failure-of.ts'
import { failedOffline } from '#navigation/connection.ts'
import { ignoreDoubleClick } from '#navigation/double-click.ts'
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

/** Changes under way, by what is posted: the same one once more would change nothing. */
const underWay = new Set<string>()
/** How many changes have been begun in this tab. */
let begunCount = 0

/**
 * The form of a mutation. What was done is said in the notice line, with "Undo"; what failed is said in the form, or with
 * `saysFailure: 'notice'` in the notice line, for a form that is not there any more by then.
 *
 * Several changes can be under way at once: a key that is pressed for the next issue waits for nothing.
 */
export function useMutationForm<TInput, TResult>(
  mutation: Mutation<TInput, TResult>,
  { saysFailure = 'form' }: { saysFailure?: 'form' | 'notice' } = {},
): MutationForm {
  const pages: PageStore = { queryClient: useQueryClient(), router: useRouter() }
  const [pendingCount, setPendingCount] = useState(0)
  const [failure, setFailure] = useState<MutationFailure>()

  async function submit(input: TInput, control: Element | null): Promise<void> {
    const posted = JSON.stringify([mutation.url, input])
    if (underWay.has(posted)) return
    underWay.add(posted)
    begunCount += 1
    const number = begunCount
    setPendingCount((count) => count + 1)
    setFailure(undefined)
    showNotice(undefined)
    const outcome = await runMutation(mutation, input, pages)
    underWay.delete(posted)
    setPendingCount((count) => count - 1)
    if (outcome.isDone) {
      tellDone(mutation, { input, result: outcome.result, pages, control, isLatest: number === begunCount })
      return
    }
    const failed = describeFailure(mutation.notDone, outcome.thrown)
    setFailure(failed)
    if (saysFailure === 'notice') showNotice({ ...failed, isFailure: true })
  }

  return {
    url: mutation.url,
    isPending: pendingCount > 0,
    ...(failure !== undefined && { failure }),
    onSubmit(event) {
      event.preventDefault()
      ignoreDoubleClick()
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
  /** No other change has been begun since: "Undo" is for what was done last. */
  isLatest: boolean
}

/** Says it, and offers to take it back; what was taken back is said, too, and that is the end of it. */
function tellDone<TInput, TResult>(
  mutation: Mutation<TInput, TResult>,
  { input, result, pages, control, isLatest }: Done<TInput, TResult>,
): void {
  const { text, undo, leadsTo } = mutation.conclude(input, result)
  if (leadsTo !== undefined) void pages.router.navigate({ href: leadsTo })
  if (isLatest) showNotice({ text, ...(undo !== undefined && { onUndo: () => void takeBack(undo) }) })

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
