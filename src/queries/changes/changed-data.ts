import type { Query, QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import * as v from 'valibot'
import { unmarkOwnChange } from '#navigation/own-changes.ts'

/** Changed page data: the queries whose keys begin with this key. JSON, because it is sent to other tabs. */
export type ChangedData = v.InferOutput<typeof changedData>

const changedData = v.object({
  queryKey: v.array(v.union([v.string(), v.number(), v.boolean()])),
  /** Limits them to queries that show this issue, whose keys do not contain its id. */
  issueId: v.optional(v.string()),
})

/** The page data: TanStack Query caches the data, the router the loaded pages. */
export interface PageStore {
  queryClient: QueryClient
  router: AnyRouter
}

/** The queries that contain, or are about to contain, the changed data. */
export function findChangedQueries(queryClient: QueryClient, changes: readonly ChangedData[]): Query[] {
  return changes.flatMap(({ queryKey, issueId }) =>
    queryClient
      .getQueryCache()
      .findAll({ queryKey, predicate: ({ state }) => issueId === undefined || canShow(state.data, issueId) }),
  )
}

/** Data that is still loading can be about any issue. */
function canShow(data: unknown, issueId: string): boolean {
  if (typeof data !== 'object' || data === null) return true
  const issue: unknown = Reflect.get(data, 'issue')
  return typeof issue === 'object' && issue !== null && Reflect.get(issue, 'id') === issueId
}

/**
 * Reloads only the changed data: shown data immediately and in place, other data when its page is opened.
 * Requests that started before the change are repeated.
 */
export async function refreshData(
  { queryClient, router }: PageStore,
  changes: readonly ChangedData[],
): Promise<void> {
  const changed = new Set(findChangedQueries(queryClient, changes))
  for (const { state } of changed) unmarkOwnChange(state.data)
  // Otherwise the router shows a page without running its loader. The loader of an unchanged page finds its
  // data in the cache.
  router.clearCache()
  const underWay = [...changed].filter(
    ({ state }) => state.data === undefined && state.fetchStatus === 'fetching',
  )
  await queryClient.invalidateQueries({ predicate: (query) => changed.has(query) })
  await Promise.allSettled(underWay.map(async ({ promise }) => promise))
  const late = new Set(findChangedQueries(queryClient, changes).filter((query) => underWay.includes(query)))
  await queryClient.refetchQueries({ predicate: (query) => late.has(query) })
}

/** Removes page data that is not shown: the next navigation loads its page. */
export function forgetPages({ queryClient, router }: PageStore): void {
  router.clearCache()
  for (const { state } of queryClient.getQueryCache().getAll()) unmarkOwnChange(state.data)
  void queryClient.invalidateQueries({ refetchType: 'none' })
}

let ownChannel: BroadcastChannel | undefined

/** One channel for sending and receiving: a channel does not receive its own messages. */
function openChannel(): BroadcastChannel {
  ownChannel ??= new BroadcastChannel('culvert-changes')
  return ownChannel
}

/** Notifies the other tabs of a change. Only in the browser. */
export function announceChanges(changes: readonly ChangedData[]): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none but its own
  openChannel().postMessage(changes)
}

/** Reloads data that other tabs change. Only in the browser. Returns the stop function. */
export function followChanges(pages: PageStore): () => void {
  const channel = openChannel()
  function follow({ data }: MessageEvent<unknown>): void {
    // A tab of another release may use another format.
    const { success, output } = v.safeParse(v.array(changedData), data)
    if (success) void refreshData(pages, output)
  }
  channel.addEventListener('message', follow)
  return () => channel.removeEventListener('message', follow)
}
