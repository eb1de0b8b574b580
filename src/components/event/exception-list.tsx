import { RawText } from '#components/stack-trace/raw-text.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { countedNoun } from '#components/ui/number-text.ts'
import { Later } from '#components/ui/time/later.tsx'
import type { Event, ExceptionValue } from '#protocol/event.ts'
import { asSent, toExceptionsText } from '#protocol/stack-trace-text.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import type { EventViewSearch } from './event-view-search.ts'
import { ExceptionEntry } from './exception-entry.tsx'
import { findHeading, orderExceptions } from './exception-title.ts'

/** Frames that are open in the newest stack trace, and in each other one. */
const openFrames = { newest: 4, other: 1 }

/**
 * The chain of exceptions: what was thrown first, then what caused it, down to the root; or the other way
 * round, or as text.
 */
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
  const ordered = orderExceptions(event, shown)
  const heading = findHeading(event, { issue, shown })
  const newestTrace = exceptions.findLast(hasFrames)
  const entries = ordered.map((exception, index) => (
    <li key={index}>
      <ExceptionEntry
        exception={exception}
        relation={index === 0 ? undefined : relationTo(ordered[index - 1], exception, isRootFirst)}
        isTitled={exception !== heading}
        isAlone={ordered.length === 1}
        openCount={exception === newestTrace ? openFrames.newest : openFrames.other}
        isFull={shown.frames === 'all'}
      />
    </li>
  ))
  // The first stack trace is on the first screen, of whichever exception it is.
  const firstTrace = Math.max(0, ordered.findIndex(hasFrames))
  const between = entries.slice(1, firstTrace)
  return (
    <ol className="exceptions">
      {entries[0]}
      {between.length === 0 ? null : (
        <li>
          <Disclosure summary={`${countedNoun(between.length, 'exception')} without a stack trace`}>
            <ol className="exceptions">{between}</ol>
          </Disclosure>
        </li>
      )}
      {firstTrace === 0 ? null : entries[firstTrace]}
      <Later>{entries.slice(firstTrace + 1)}</Later>
    </ol>
  )
}

function hasFrames({ stackTrace }: ExceptionValue): boolean {
  return stackTrace !== undefined && stackTrace.frames.length > 0
}

function relationTo(
  above: ExceptionValue | undefined,
  exception: ExceptionValue,
  isRootFirst: boolean,
): string {
  return isRootFirst ? relationBelow(above) : relationText(exception)
}

/**
 * A member of a group (`AggregateError.errors[2]`) did not cause it; SDKs name the slot in the mechanism's
 * source.
 */
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
