import type { RootSpan } from './wire-event.ts'

/**
 * Origins that name a transaction by its URL only: without an instrumented router (`auto.pageload.browser`),
 * with one that does not name static pages, or without its routes: Solid Router in older SDKs, React Router 4
 * and 5 without `withSentryRouting`, and `manual`, an application that names them itself. A filter on them
 * would drop every page of such an application.
 */
const namesPagesByUrl = /^manual$|\.(?:browser|nextjs|gatsby|astro|solidrouter|reactrouter_v[45])(?:\.|$)/

/**
 * True for a transaction that the router did not name, or that did not finish.
 *
 * A cancelled transaction (hidden tab, or a newer navigation) may be a page that the user has seen: it is
 * kept, unless it has Next's name for "no name".
 */
export function isIncompleteTransaction(root: RootSpan): boolean {
  if (root.name === 'incomplete-app-router-transaction') return true
  if (root.status === 'cancelled' || root.finishReason === 'cancelled') return false
  if (root.finishReason === 'finalTimeout') return true
  // On a server, deadline_exceeded means status 504, and a URL is a valid name.
  const isPage = root.op === 'pageload' || root.op === 'navigation'
  if (!isPage) return false
  return root.status === 'deadline_exceeded' || isUnnamed(root)
}

function isUnnamed({ name, origin, source }: RootSpan): boolean {
  if (typeof origin === 'string' && namesPagesByUrl.test(origin)) return false
  // SDKs from version 11 on start with these names instead of the URL.
  return source === 'url' || name === 'Pageload' || name === 'Navigation'
}
