import type { Event, StackTrace } from '#protocol/event.ts'
import { findCommitInVersion, toSourceUrl, type SourceLinkSettings } from './source-link.ts'

/**
 * The event with the addresses of the lines of its in-app frames; the event itself without a repository.
 * `commit`: the commit of its release, if known.
 */
export function linkFrames(event: Event, settings: SourceLinkSettings, commit: string | undefined): Event {
  if (settings.url === '') return event
  const named = commit ?? findCommitInVersion(event.release ?? '')
  const linkTrace = ({ frames }: StackTrace): StackTrace => ({
    frames: frames.map((frame) => {
      const sourceUrl = frame.inApp === true ? toSourceUrl(settings, frame, named) : undefined
      return sourceUrl === undefined ? frame : { ...frame, sourceUrl }
    }),
  })
  const link = <T extends { stackTrace?: StackTrace }>(holder: T): T =>
    holder.stackTrace === undefined ? holder : { ...holder, stackTrace: linkTrace(holder.stackTrace) }
  return { ...event, exceptions: event.exceptions.map(link), threads: event.threads.map(link) }
}
