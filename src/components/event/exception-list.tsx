import type { ExceptionValue } from '#protocol/event.ts'
import { ExceptionEntry } from './exception-entry.tsx'

/** Frames that stand open in what was thrown, and in each of its causes. */
const openFrames = { thrown: 4, cause: 1 }

/** The chain of exceptions: what was thrown first, then what caused it, down to the root. */
export function ExceptionList({ exceptions }: { exceptions: readonly ExceptionValue[] }) {
  return (
    <ol className="exceptions">
      {exceptions.toReversed().map((exception, index) => (
        <li key={index}>
          {index === 0 ? null : <p className="exception-cause">{relationText(exception)}</p>}
          <ExceptionEntry
            exception={exception}
            openCount={index === 0 ? openFrames.thrown : openFrames.cause}
          />
        </li>
      ))}
    </ol>
  )
}

/** A member of a group (`AggregateError.errors[2]`) did not cause it; SDKs name the slot in the mechanism's source. */
function relationText(exception: ExceptionValue): string {
  const source = exception.mechanism?.source
  return source?.includes('[') === true ? `contained in ${source}` : 'caused by'
}
