import { StackTrace } from '#components/stack-trace/stack-trace.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import type { Thread } from '#protocol/event.ts'

/** The threads that have a stack trace; the crashed or current one stands open. */
export function ThreadsPanel({ threads }: { threads: readonly Thread[] }) {
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
        <StackTrace trace={thread.stackTrace} openCount={isMain ? 2 : 0} />
      </Disclosure>
    )
  })
}
