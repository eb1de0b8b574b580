import { dehydrate, hydrate, type QueryClient } from '@tanstack/react-query'
import { createSerializationAdapter } from '@tanstack/react-router'
import type { JsonObject } from '#protocol/json.ts'

/** The id of the script with the page's data. */
export const pageDataId = 'page-data'

/** The query of each object of data that a page is being rendered with. */
const queryOf = new WeakMap<object, string>()
const scriptOf = new WeakMap<QueryClient, string>()

/**
 * Returns the state of the queries for hydration in the browser. Their data are in a script of their own, as
 * JSON: `JSON.stringify` takes a third of the CPU time of the router's serialization, which has to support
 * more than JSON.
 */
export function dehydrateQueries(queryClient: QueryClient): JsonObject {
  const state = dehydrate(queryClient)
  const dataOf: Record<string, unknown> = {}
  for (const { queryHash, state: query } of state.queries) {
    if (typeof query.data !== 'object' || query.data === null) continue
    queryOf.set(query.data, queryHash)
    dataOf[queryHash] = query.data
  }
  // No tag of HTML may begin in it.
  scriptOf.set(queryClient, JSON.stringify(dataOf).replaceAll('<', String.raw`\u003c`))
  // The library types its data as unknown; what the loaders put there are views, which are plain JSON.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return state as unknown as JsonObject
}

/** The text of the script with the data of a page that is being rendered. */
export function pageDataScript(queryClient: QueryClient): string {
  return scriptOf.get(queryClient) ?? '{}'
}

/** In the browser: the data of the page that the server rendered, empty once it is hydrated. */
let received: Record<string, object> | undefined

/** Restores the queries of a page that the server rendered. */
export function hydrateQueries(queryClient: QueryClient, state: JsonObject): void {
  hydrate(queryClient, state)
  received = {}
}

/**
 * Replaces data of a query by a reference to the script. A loader returns the same object that its query has,
 * and the browser gets one object for both, too.
 */
export const pageDataAdapter = createSerializationAdapter({
  key: 'page-data',
  test: (value): value is object => typeof value === 'object' && value !== null && queryOf.has(value),
  toSerializable: (data) => queryOf.get(data) ?? '',
  fromSerializable: (queryHash): object => {
    received ??= readScript()
    const data = received[queryHash]
    if (data === undefined) throw new Error(`The page has no data of the query ${queryHash}.`)
    return data
  },
})

function readScript(): Record<string, object> {
  // The server wrote it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(document.getElementById(pageDataId)?.textContent ?? '{}') as Record<string, object>
}
