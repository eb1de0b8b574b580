import type { Event, Thread } from '#protocol/event.ts'
import type { InAppPredicate } from './in-app.ts'
import { traceParts } from './stack-trace.ts'

/** The contribution of the relevant thread; empty if there is none. */
export function threadParts(event: Event, isInApp: InAppPredicate): string[] {
  return traceParts(findTellingThread(event.threads)?.stackTrace, event.platform, isInApp)
}

/** The only crashed thread; if none crashed, the only current one; if none is current, the only one. */
function findTellingThread(threads: Thread[]): Thread | undefined {
  const crashed = threads.filter((thread) => thread.crashed)
  const current = threads.filter((thread) => thread.current)
  const candidates = [crashed, current, threads].find((list) => list.length > 0)
  return candidates?.length === 1 ? candidates[0] : undefined
}
