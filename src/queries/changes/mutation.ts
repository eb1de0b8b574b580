import type { Query, QueryClient } from '@tanstack/react-query'
import { appConfig } from '../../../app.config.ts'
import { announceChanges, findChangedQueries, refreshData } from './changed-data.ts'
import type { ChangedData, PageStore } from './changed-data.ts'
import { sendInOrder } from './order.ts'

/** Something a person changes: one declaration for each, and everything else is the same for all. */
export interface Mutation<TInput, TResult> {
  /** Where its form posts to without JavaScript. */
  url: string
  parseForm: (form: FormData) => TInput
  /**
   * What it is about, by id: changes of one subject are sent one after another. Left out: of nothing else.
   */
  subjects?: (input: TInput) => readonly string[]
  send: (call: { data: TInput; signal: AbortSignal }) => Promise<TResult>
  /** The page data it changes: exactly this is loaded anew, in every tab. */
  changes: (input: TInput) => ChangedData[]
  /** Puts into the page data what it will be, before the server has answered. */
  foresee: (queryClient: QueryClient, input: TInput) => void
  /** What is said when it failed: `The status was not changed.` */
  notDone: string
  /** What is said when it is done, what takes it back, and where to go from there. */
  conclude: (input: TInput, result: TResult) => Conclusion
}

/** What is said of what was done. */
export interface Conclusion {
  text: string
  /** What takes it back. */
  undo?: TakeBack
  /** The page to go to, where the one that it was done on is gone. */
  leadsTo?: string
}

/** Undoes what was done. */
export interface TakeBack {
  /** Undoes it with JavaScript, and says how that went. */
  run: (
    pages: PageStore,
  ) => Promise<{ isDone: true; text: string } | { isDone: false; notDone: string; thrown: unknown }>
  /** What a form posts to undo it without JavaScript, and where. */
  form: { url: string; input: PostedInput }
}

export type MutationOutcome<TResult> = { isDone: true; result: TResult } | { isDone: false; thrown: unknown }

/**
 * Makes a change: shows at once what it will be, sends it once, and loads anew what it changed, here and in
 * other tabs. When it fails the page shows what was there before, and what the server has now as soon as it
 * says so.
 */
export async function runMutation<TInput, TResult>(
  mutation: Mutation<TInput, TResult>,
  input: TInput,
  pages: PageStore,
): Promise<MutationOutcome<TResult>> {
  const changes = mutation.changes(input)
  const shown = showAhead(mutation, input, pages.queryClient)
  const send = () => mutation.send({ data: input, signal: AbortSignal.timeout(appConfig.mutationTimeoutMs) })
  try {
    const result = await sendInOrder(mutation.subjects?.(input) ?? [], send)
    shown.end()
    announceChanges(changes)
    void refreshData(pages, changes)
    return { isDone: true, result }
  } catch (thrown) {
    shown.end()
    shown.rollBack()
    void refreshData(pages, changes)
    return { isDone: false, thrown }
  }
}

/** Undoes something by a mutation. */
export function takeBackBy<TInput extends PostedInput, TResult>(
  mutation: Mutation<TInput, TResult>,
  input: TInput,
): TakeBack {
  return {
    async run(pages) {
      const outcome = await runMutation(mutation, input, pages)
      return outcome.isDone
        ? { isDone: true, text: mutation.conclude(input, outcome.result).text }
        : { ...outcome, notDone: mutation.notDone }
    },
    form: { url: mutation.url, input },
  }
}

/** What a form can post as it is. */
export type PostedInput = Record<string, string | string[]>

/** The optimistic update of a change that is under way. */
interface ShownAhead {
  /** From now on what the server answers is shown as it is. */
  end: () => void
  /** Restores the data of before where nothing newer has arrived. */
  rollBack: () => void
}

/**
 * Shows at once what a change will make of the page data: before this returns, so that the next key finds it.
 * What is loaded while the change is under way may be of before it, and is updated like what was there.
 */
function showAhead<TInput, TResult>(
  mutation: Mutation<TInput, TResult>,
  input: TInput,
  queryClient: QueryClient,
): ShownAhead {
  const findChanged = () =>
    findChangedQueries(queryClient, mutation.changes(input)).filter(({ state }) => state.data !== undefined)
  const changed = findChanged()
  // A read that is under way would bring back what was there before.
  void queryClient.cancelQueries({ predicate: (query) => changed.includes(query) })
  const before = new Map(changed.map((query) => [query, query.state]))
  mutation.foresee(queryClient, input)
  const foreseen = new Map(changed.map((query): [Query, unknown] => [query, query.state.data]))
  const end = queryClient.getQueryCache().subscribe((event) => {
    const isLoaded =
      event.type === 'updated' && event.action.type === 'success' && event.action.manual !== true
    if (isLoaded && findChanged().some(({ queryHash }) => queryHash === event.query.queryHash))
      mutation.foresee(queryClient, input)
  })
  return {
    end,
    rollBack() {
      for (const [query, state] of before) {
        if (query.state !== state && query.state.data === foreseen.get(query)) query.setState(state)
      }
    },
  }
}
