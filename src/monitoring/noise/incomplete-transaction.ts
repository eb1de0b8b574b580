import type { RootSpan } from './wire-event.ts'

/**
 * Origins for which the URL is the best name there will ever be: no router is instrumented
 * (`auto.pageload.browser`), or one that leaves static pages unnamed. Dropping theirs would drop every page
 * of such an application.
 */
const namesPagesByUrl = /\.(?:browser|nextjs|gatsby)(?:\.|$)/

/**
 * True for a transaction of a router that never got a name, or never finished.
 *
 * A cancelled one (tab hidden, or the next navigation came first) can be a page that was looked at: it is
 * kept, unless it has Next's name for "no name".
 */
export function isIncompleteTransaction(root: RootSpan): boolean {
  if (root.name === 'incomplete-app-router-transaction') return true
  if (root.status === 'cancelled' || root.finishReason === 'cancelled') return false
  if (root.finishReason === 'finalTimeout') return true
  // On a server, deadline_exceeded is an answer with status 504, and a URL is a name like any other.
  const isPage = root.op === 'pageload' || root.op === 'navigation'
  if (!isPage) return false
  return root.status === 'deadline_exceeded' || isUnnamed(root)
}

function isUnnamed({ name, origin, source }: RootSpan): boolean {
  if (typeof origin === 'string' && namesPagesByUrl.test(origin)) return false
  // SDKs since 11 start out with these names instead of the URL.
  return source === 'url' || name === 'Pageload' || name === 'Navigation'
}
