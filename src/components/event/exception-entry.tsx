import { StackTrace } from '#components/stack-trace/stack-trace.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { LongText } from '#components/ui/long-text.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import type { ExceptionValue } from '#protocol/event.ts'

/** Characters of an exception's value that stand open; it can hold a whole SQL statement or response body. */
const shownValueCharacters = 1_000

/** One exception: its type and value, how it was caught, and its stack trace. */
export function ExceptionEntry({
  exception,
  openCount,
  isFull,
}: {
  exception: ExceptionValue
  openCount: number
  /** No frame is folded. */
  isFull: boolean
}) {
  const { mechanism, stackTrace } = exception
  return (
    <section className="exception">
      <h3>
        <bdi>{exception.type ?? 'Exception without a type'}</bdi>
        {exception.module === undefined ? null : <bdi className="exception-module">{exception.module}</bdi>}
      </h3>
      {exception.value === undefined ? null : (
        <LongText text={exception.value} limit={shownValueCharacters}>
          <p className="exception-value" dir="auto">
            <MarkedText text={exception.value} />
          </p>
        </LongText>
      )}
      {mechanism === undefined ? null : (
        <p className="exception-marks">
          {mechanism.handled === false ? <Badge tone="danger">unhandled</Badge> : null}
          {mechanism.handled === true ? <Badge tone="success">handled</Badge> : null}
          {mechanism.type === undefined ? null : <Badge>mechanism {mechanism.type}</Badge>}
          {mechanism.synthetic === true ? <Badge>not an error object</Badge> : null}
          {mechanism.isExceptionGroup === true ? <Badge>exception group</Badge> : null}
        </p>
      )}
      {stackTrace === undefined ? (
        <p className="quiet">The SDK sent no stack trace.</p>
      ) : (
        <StackTrace trace={stackTrace} openCount={openCount} isFull={isFull} />
      )}
    </section>
  )
}
