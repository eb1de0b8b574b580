import type { Event, StackTrace } from '#protocol/event.ts'
import { findCommitInVersion, toSourceUrl, type SourceLinkSettings } from './source-link.ts'

/**
 * The event whose own frames have the addresses of their lines; the event itself without a repository.
 * `commit`: of its release, where it is known.
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
