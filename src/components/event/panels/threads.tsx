import type { EventViewSearch } from '#components/event/event-view-search.ts'
import { useEventPlatform } from '#components/stack-trace/event-platform.ts'
import { RawText } from '#components/stack-trace/raw-text.tsx'
import { StackTracePanel } from '#components/stack-trace/stack-trace.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { Thread } from '#protocol/event.ts'
import { toStackTraceText } from '#protocol/stack-trace-text.ts'

/** The threads with a stack trace, the crashed or current one expanded, and the names of the others. */
export function ThreadsPanel({ threads, shown }: { threads: readonly Thread[]; shown: EventViewSearch }) {
  const platform = useEventPlatform()
  const others = threads.filter(({ stackTrace }) => stackTrace === undefined)
  return (
    <>
      {threads.map((thread, index) => {
        if (thread.stackTrace === undefined) return null
        const isMain = thread.crashed === true || thread.current === true
        return (
          <Disclosure
            key={index}
            isOpen={isMain || threads.length === 1}
            summary={<ThreadName thread={thread} index={index} />}
          >
            {shown.frames === 'raw' ? (
              <RawText text={toStackTraceText(thread.rawStackTrace ?? thread.stackTrace, platform)} />
            ) : (
              <StackTracePanel
                trace={thread.stackTrace}
                openCount={isMain ? 2 : 0}
                isFull={shown.frames === 'all'}
              />
            )}
          </Disclosure>
        )
      })}
      {others.length === 0 ? null : (
        <Disclosure summary={`${countedNoun(others.length, 'thread')} without a stack trace`}>
          <ul>
            {others.map((thread, index) => (
              <li key={index}>
                <ThreadName thread={thread} index={threads.indexOf(thread)} />
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  )
}

function ThreadName({
  thread: { id, name, state, crashed, current },
  index,
}: {
  thread: Thread
  index: number
}) {
  return (
    <>
      <bdi>{name ?? `Thread ${id ?? index}`}</bdi>{' '}
      {crashed === true ? <Badge tone="danger">crashed</Badge> : null}
      {current === true ? <Badge>current</Badge> : null}
      {state === undefined ? null : <bdi className="quiet"> {state}</bdi>}
    </>
  )
}
