import { StackTrace } from '#components/stack-trace/stack-trace.tsx'
import { LongText } from '#components/ui/long-text.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import type { ExceptionValue } from '#protocol/event.ts'
import { MechanismMarks } from './mechanism-marks.tsx'

/** Characters of an exception's value that stand open; it can hold a whole SQL statement or response body. */
const shownValueCharacters = 240

/** Characters of a value that the heading of a page shows in its two lines. */
const headingCharacters = 160

/** One exception: its type and value, how it was caught, and its stack trace. */
export function ExceptionEntry({
  exception,
  isTitled,
  openCount,
  isFull,
}: {
  exception: ExceptionValue
  /** False where the page's heading says type and value already. */
  isTitled: boolean
  openCount: number
  /** No frame is folded. */
  isFull: boolean
}) {
  const { mechanism, stackTrace } = exception
  return (
    <section className="exception">
      <h3 className={isTitled ? undefined : 'visually-hidden'}>
        <bdi>{exception.type ?? 'Exception without a type'}</bdi>
        {exception.module === undefined ? null : <bdi className="exception-module">{exception.module}</bdi>}
        {isTitled ? null : <bdi>: {exception.value}</bdi>}
      </h3>
      {exception.value === undefined ? null : <Value text={exception.value} isTitled={isTitled} />}
      {isTitled ? <MechanismMarks mechanism={mechanism} /> : null}
      {stackTrace === undefined ? (
        <p className="quiet">The SDK sent no stack trace.</p>
      ) : (
        <StackTrace trace={stackTrace} openCount={openCount} isFull={isFull} />
      )}
    </section>
  )
}

/** What it says; folded where it would push the stack trace off the screen. */
function Value({ text, isTitled }: { text: string; isTitled: boolean }) {
  const whole = (
    <p className="exception-value" dir="auto">
      <MarkedText text={text} />
    </p>
  )
  const isOneLine = !text.trim().includes('\n')
  if (!isTitled) {
    if (isOneLine && text.length <= headingCharacters) return null
    return (
      <details className="long-text">
        <summary>
          <span className="long-text-more">Show the whole message</span>
          <span className="long-text-less">Show less</span>
        </summary>
        {whole}
      </details>
    )
  }
  const limit = isOneLine
    ? shownValueCharacters
    : Math.min(shownValueCharacters, text.trimStart().indexOf('\n') + 1)
  return (
    <LongText text={text} limit={Math.max(1, limit)}>
      {whole}
    </LongText>
  )
}
