import { RawText } from '#components/stack-trace/raw-text.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Later } from '#components/ui/time/later.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { Event, ExceptionValue } from '#protocol/event.ts'
import { relationOf } from '#protocol/exception-relation.ts'
import { asSent, toExceptionsText } from '#protocol/stack-trace-text.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import type { EventViewSearch } from './event-view-search.ts'
import { ExceptionEntry } from './exception-entry.tsx'
import { findHeading, orderExceptions } from './exception-title.ts'

/** The number of open frames in the newest stack trace, and in each of the others. */
const openFrames = { newest: 4, other: 1 }

interface ExceptionListProps {
  event: Pick<Event, 'exceptions' | 'platform' | 'redactions'>
  /** The issue whose title and subtitle are the page's heading. */
  issue: Pick<IssueSummary, 'title' | 'subtitle'>
  shown: EventViewSearch
}

/** The exception chain: from the thrown exception to its root cause, in the reverse order, or as text. */
export function ExceptionList({ event, issue, shown }: ExceptionListProps) {
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
  // The first exception with a stack trace is open, so that the stack trace is visible without scrolling.
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

/** Returns the relation to the exception above. A member of a group (`errors[2]`) is not its cause. */
function relationText(exception: ExceptionValue): string {
  const relation = relationOf(exception)
  switch (relation.kind) {
    case 'cause':
      return 'caused by'
    case 'context':
      return 'raised while handling'
    case 'suppressed':
      return 'suppressed'
    case 'member':
  }
  return `contained in ${relation.slot}`
}

/** Returns the relation to the exception above, in the order from the root cause. */
function relationBelow(above: ExceptionValue | undefined): string {
  const relation = above === undefined ? { kind: 'cause' as const } : relationOf(above)
  switch (relation.kind) {
    case 'cause':
      return 'which caused'
    case 'context':
      return 'whose handling raised'
    case 'suppressed':
      return 'suppressed by'
    case 'member':
  }
  return `contained in ${relation.slot} of`
}
