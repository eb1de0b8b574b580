import { RawText } from '#components/stack-trace/raw-text.tsx'
import { Later } from '#components/ui/later.tsx'
import type { Event, ExceptionValue } from '#protocol/event.ts'
import { asSent, toExceptionsText } from '#protocol/stack-trace-text.ts'
import type { IssueSummary } from '#server/store/issue-views.ts'
import type { EventViewSearch } from './event-view-search.ts'
import { ExceptionEntry } from './exception-entry.tsx'
import { isHeading } from './exception-title.ts'

/** Frames that stand open in what was thrown, and in each of its causes. */
const openFrames = { thrown: 4, cause: 1 }

/** The chain of exceptions: what was thrown first, then what caused it, down to the root; or the other way round, or as text. */
export function ExceptionList({
  event,
  issue,
  shown,
}: {
  event: Event
  /** Its title and subtitle are the page's heading. */
  issue: Pick<IssueSummary, 'title' | 'subtitle'>
  shown: EventViewSearch
}) {
  const { exceptions, platform } = event
  if (shown.frames === 'raw') return <RawText text={toExceptionsText(exceptions.map(asSent), platform)} />
  const isRootFirst = shown.order === 'root-first'
  const thrownFirst = exceptions.toReversed()
  const ordered = isRootFirst ? exceptions : thrownFirst
  const entries = ordered.map((exception, index) => (
    <li key={index}>
      {index === 0 ? null : (
        <p className="exception-cause">
          {isRootFirst ? relationBelow(ordered[index - 1]) : relationText(exception)}
        </p>
      )}
      <ExceptionEntry
        exception={exception}
        isTitled={!isHeading(exception, { event, issue })}
        openCount={exception === thrownFirst[0] ? openFrames.thrown : openFrames.cause}
        isFull={shown.frames === 'all'}
      />
    </li>
  ))
  return (
    <ol className="exceptions">
      {entries.slice(0, 1)}
      <Later>{entries.slice(1)}</Later>
    </ol>
  )
}

/** A member of a group (`AggregateError.errors[2]`) did not cause it; SDKs name the slot in the mechanism's source. */
function relationText(exception: ExceptionValue): string {
  const slot = groupSlot(exception)
  return slot === undefined ? 'caused by' : `contained in ${slot}`
}

/** The same, read from the root: what the one above did to the one below. */
function relationBelow(above: ExceptionValue | undefined): string {
  const slot = above && groupSlot(above)
  return slot === undefined ? 'which caused' : `contained in ${slot} of`
}

function groupSlot({ mechanism }: ExceptionValue): string | undefined {
  return mechanism?.source?.includes('[') === true ? mechanism.source : undefined
}
