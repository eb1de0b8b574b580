import type { EventViewSearch } from '#components/event/event-view-search.ts'
import { RawText } from '#components/stack-trace/raw-text.tsx'
import { StackTracePanel } from '#components/stack-trace/stack-trace.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import type { Thread } from '#protocol/event.ts'
import { toStackTraceText } from '#protocol/stack-trace-text.ts'

/** The threads with a stack trace; the crashed or current one is expanded. */
export function ThreadsPanel({ threads, shown }: { threads: readonly Thread[]; shown: EventViewSearch }) {
  return threads.map((thread, index) => {
    if (thread.stackTrace === undefined) return null
    const isMain = thread.crashed === true || thread.current === true
    return (
      <Disclosure
        key={index}
        isOpen={isMain || threads.length === 1}
        summary={
          <>
            <bdi>{thread.name ?? `Thread ${thread.id ?? index}`}</bdi>{' '}
            {thread.crashed === true ? <Badge tone="danger">crashed</Badge> : null}
            {thread.current === true ? <Badge>current</Badge> : null}
          </>
        }
      >
        {shown.frames === 'raw' ? (
          <RawText text={toStackTraceText(thread.rawStackTrace ?? thread.stackTrace)} />
        ) : (
          <StackTracePanel
            trace={thread.stackTrace}
            openCount={isMain ? 2 : 0}
            isFull={shown.frames === 'all'}
          />
        )}
      </Disclosure>
    )
  })
}
