import type { Query, QueryClient } from '@tanstack/react-query'
import { markOwnChange } from '#navigation/own-changes.ts'
import type { FormFailure, FormReply, PostedUndo } from '#server/forms/form-views.ts'
import { announceChanges, findChangedQueries, refreshData } from './changed-data.ts'
import type { ChangedData, PageStore } from './changed-data.ts'
import { describeFailure, sessionEnded } from './failure.ts'
import { sendInOrder } from './order.ts'
import { sendForm } from './send-form.ts'

/** The browser's part of an action: the optimistic update, and the data to reload. */
export interface Action {
  /** The URL to which its form is posted. */
  url: string
  /** Shown if it fails: `Couldn’t change the status.` */
  notDone: string
  /** The objects that it changes, by id. Actions on the same object are sent one after another. */
  subjects?: (form: FormData) => readonly string[]
  /** The page data that it changes: exactly this data is reloaded, in every tab. */
  changes: (form: FormData) => ChangedData[]
  /** The optimistic update of the page data. */
  update?: (queryClient: QueryClient, form: FormData) => void
  /** The action that undoes it, with the update that shows this. */
  undoneBy?: (undo: PostedUndo) => Action
}

/** The result of an action. */
export type ActionOutcome = { isDone: true; reply: DoneReply } | { isDone: false; failure: FormFailure }

type DoneReply = Extract<FormReply, { kind: 'done' }>

/**
 * Sends an action once, with an optimistic update, and then reloads the changed data, here and in other tabs.
 * If it fails, the previous data is restored, and then reloaded.
 */
export async function runAction(action: Action, form: FormData, pages: PageStore): Promise<ActionOutcome> {
  const changes = action.changes(form)
  const shown = showAhead(action, form, pages.queryClient)
  const outcome = await submit(action, form)
  shown.end()
  if (outcome.isDone) announceChanges(changes)
  else shown.rollBack()
  void refreshData(pages, changes)
  if (outcome.isDone) shown.markData()
  return outcome
}

async function submit({ url, notDone, subjects }: Action, form: FormData): Promise<ActionOutcome> {
  try {
    const reply = await sendInOrder(subjects?.(form) ?? [], () => sendForm(url, form))
    switch (reply.kind) {
      case 'done':
        return { isDone: true, reply }
      case 'shown':
        throw new TypeError(`The action ${url} has nothing to show`)
      case 'signed-out':
        return { isDone: false, failure: sessionEnded(notDone) }
      case 'rejected':
        break
    }
    const text = [notDone, ...reply.problems.map(({ message }) => message)].join(' ')
    return { isDone: false, failure: { text } }
  } catch (thrown) {
    return { isDone: false, failure: describeFailure(notDone, thrown) }
  }
}

/** The optimistic update of a pending action. */
interface ShownAhead {
  /** Ends the update: later data from the server is shown unchanged. */
  end: () => void
  /** Restores the previous data, except queries that were refetched since. */
  rollBack: () => void
  /** Marks the updated data, which is outdated now, so that going back to its page is not delayed. */
  markData: () => void
}

/**
 * Updates the page data synchronously, so that the next key applies to it. Data that is loaded while the
 * action is pending can be older than the action, so it is updated, too.
 */
function showAhead({ changes, update }: Action, form: FormData, queryClient: QueryClient): ShownAhead {
  if (update === undefined) return { end: () => {}, rollBack: () => {}, markData: () => {} }
  const findChanged = () =>
    findChangedQueries(queryClient, changes(form)).filter(({ state }) => state.data !== undefined)
  const changed = findChanged()
  // A read in flight would restore the old data.
  void queryClient.cancelQueries({ predicate: (query) => changed.includes(query) })
  const before = new Map(changed.map((query) => [query, query.state]))
  update(queryClient, form)
  const updated = new Map(changed.map((query): [Query, unknown] => [query, query.state.data]))
  const end = queryClient.getQueryCache().subscribe((event) => {
    const isLoaded =
      event.type === 'updated' && event.action.type === 'success' && event.action.manual !== true
    if (isLoaded && findChanged().some(({ queryHash }) => queryHash === event.query.queryHash))
      update(queryClient, form)
  })
  return {
    end,
    rollBack() {
      for (const [query, state] of before) {
        if (query.state !== state && query.state.data === updated.get(query)) query.setState(state)
      }
    },
    markData() {
      for (const [query, data] of updated)
        if (data !== before.get(query)?.data && data === query.state.data) markOwnChange(data)
    },
  }
}
