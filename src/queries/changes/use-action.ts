import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState, type SubmitEvent } from 'react'
import { ignoreDoubleClick } from '#navigation/double-click.ts'
import { showNotice } from '#navigation/notices.ts'
import { restoreFocus } from '#navigation/restore-focus.ts'
import type { PostedUndo } from '#server/forms/form-views.ts'
import { runAction, type Action } from './action.ts'
import type { PageStore } from './changed-data.ts'

/** The form of an action: the URL is used without JavaScript, the other fields with it. */
export interface ActionState {
  url: string
  isPending: boolean
  /** The number of failed submissions; the notice has the reason. */
  failureCount: number
  /** `onDone` runs once the server has made the change. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>, onDone?: (posted: FormData) => void) => void
}

/** Pending actions, by URL and fields: an identical one would change nothing. */
const underWay = new Set<string>()
/** The number of actions sent from this tab. */
let sentCount = 0

/**
 * The form of an action. The notice shows its result, with "Undo", or its failure: by then the form may not
 * exist any more. Several actions can be in flight at the same time.
 */
export function useAction(action: Action): ActionState {
  const pages: PageStore = { queryClient: useQueryClient(), router: useRouter() }
  const [pendingCount, setPendingCount] = useState(0)
  const [failureCount, setFailureCount] = useState(0)

  async function submit(
    form: FormData,
    control: Element | null,
    onDone?: (posted: FormData) => void,
  ): Promise<void> {
    const posted = JSON.stringify([action.url, ...form])
    if (underWay.has(posted)) return
    underWay.add(posted)
    sentCount += 1
    const number = sentCount
    setPendingCount((count) => count + 1)
    showNotice(undefined)
    const outcome = await runAction(action, form, pages)
    underWay.delete(posted)
    setPendingCount((count) => count - 1)
    if (!outcome.isDone) {
      setFailureCount((count) => count + 1)
      showNotice({ ...outcome.failure, isFailure: true })
      return
    }
    onDone?.(form)
    const { text = '', undo, leadsTo } = outcome.reply
    // The current list keeps its filters.
    if (leadsTo !== undefined && leadsTo !== location.pathname) void pages.router.navigate({ href: leadsTo })
    // "Undo" is for the latest action.
    if (number !== sentCount) return
    const undoIt = undo === undefined ? undefined : () => void undoAction(action, { undo, pages, control })
    showNotice({ text, onUndo: undoIt })
  }

  return {
    url: action.url,
    isPending: pendingCount > 0,
    failureCount,
    onSubmit(event, onDone) {
      event.preventDefault()
      ignoreDoubleClick()
      const { submitter } = event.nativeEvent
      void submit(new FormData(event.currentTarget, submitter), submitter, onDone)
    },
  }
}

/** Undoes an action. The notice shows the result, and the button that was pressed gets the focus again. */
async function undoAction(
  { undoneBy }: Action,
  { undo, pages, control }: { undo: PostedUndo; pages: PageStore; control: Element | null },
): Promise<void> {
  const action = undoneBy?.(undo)
  if (action === undefined) return
  // The button "Undo" is removed with the notice. Its key leaves the focus where it is.
  const hasFocus = document.activeElement?.matches('[data-shortcut="undo"]') === true
  showNotice(undefined)
  if (hasFocus) restoreFocus(control)
  const form = new FormData()
  for (const [name, value] of undo.fields) form.append(name, value)
  const outcome = await runAction(action, form, pages)
  if (outcome.isDone) showNotice({ text: outcome.reply.text ?? '' })
  else showNotice({ ...outcome.failure, isFailure: true })
}
