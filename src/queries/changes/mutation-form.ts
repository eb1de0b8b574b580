import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { ignoreDoubleClick } from '#navigation/double-click.ts'
import { showNotice } from '#navigation/notices.ts'
import { restoreFocus } from '#navigation/restore-focus.ts'
import type { PageStore } from './changed-data.ts'
import { describeFailure } from './failure.ts'
import { runMutation } from './mutation.ts'
import type { Mutation, TakeBack } from './mutation.ts'

/** What a form needs to make a change: without JavaScript its address, with it the rest. */
export interface MutationForm {
  url: string
  isPending: boolean
  /** How many of its changes were not made; the notice line says why. */
  failureCount: number
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
}

/** Changes under way, by what is posted: the same one once more would change nothing. */
const underWay = new Set<string>()
/** How many changes have been begun in this tab. */
let begunCount = 0

/**
 * The form of a mutation. What was done is said in the notice line, with "Undo", and so is what failed: the
 * form may not be there any more by then, and its buttons stay where they are.
 *
 * Several changes can be under way at once: a key that is pressed for the next issue waits for nothing.
 */
export function useMutationForm<TInput, TResult>(mutation: Mutation<TInput, TResult>): MutationForm {
  const pages: PageStore = { queryClient: useQueryClient(), router: useRouter() }
  const [pendingCount, setPendingCount] = useState(0)
  const [failureCount, setFailureCount] = useState(0)

  async function submit(input: TInput, control: Element | null): Promise<void> {
    const posted = JSON.stringify([mutation.url, input])
    if (underWay.has(posted)) return
    underWay.add(posted)
    begunCount += 1
    const number = begunCount
    setPendingCount((count) => count + 1)
    showNotice(undefined)
    const outcome = await runMutation(mutation, input, pages)
    underWay.delete(posted)
    setPendingCount((count) => count - 1)
    if (outcome.isDone) {
      tellDone(mutation, { input, result: outcome.result, pages, control, isLatest: number === begunCount })
      return
    }
    setFailureCount((count) => count + 1)
    showNotice({ ...describeFailure(mutation.notDone, outcome.thrown), isFailure: true })
  }

  return {
    url: mutation.url,
    isPending: pendingCount > 0,
    failureCount,
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
    const outcome = await undoIt.run(pages)
    if (outcome.isDone) showNotice({ text: outcome.text })
    else showNotice({ ...describeFailure(outcome.notDone, outcome.thrown), isFailure: true })
  }
}
