import type { Event } from '#protocol/event.ts'

/** Runtimes whose SDKs report `javascript`, the platform of browsers, although they run on a server. */
const serverRuntimes: ReadonlySet<unknown> = new Set(['cloudflare', 'vercel-edge', 'deno', 'bun', 'node'])

/** True for an event of JavaScript on a server, by its runtime. SDKs in browsers report none. */
export function isOnServer(contexts: Partial<Event['contexts']> = {}): boolean {
  return serverRuntimes.has(contexts['runtime']?.['name'])
}
