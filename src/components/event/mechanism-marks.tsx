import { Badge } from '#components/ui/badge.tsx'
import type { ExceptionValue, Mechanism } from '#protocol/event.ts'

/** Whether the application handled the error: one unhandled exception of a chain makes it unhandled. */
export function HandledMark({ exceptions }: { exceptions: readonly ExceptionValue[] }) {
  const flags = exceptions.flatMap(({ mechanism }) => mechanism?.handled ?? [])
  if (flags.length === 0) return null
  const mechanism = exceptions.at(-1)?.mechanism?.type
  return (
    <p className="exception-marks" title={mechanism === undefined ? undefined : `Mechanism: ${mechanism}`}>
      {flags.includes(false) ? <Badge tone="danger">unhandled</Badge> : <Badge tone="success">handled</Badge>}
    </p>
  )
}

/** What was thrown, if it was no ordinary exception. */
export function MechanismMarks({ mechanism }: { mechanism: Mechanism | undefined }) {
  const { synthetic, isExceptionGroup } = mechanism ?? {}
  if (synthetic !== true && isExceptionGroup !== true) return null
  return (
    <p className="exception-marks">
      {synthetic === true ? <Badge>Non-error value thrown</Badge> : null}
      {isExceptionGroup === true ? <Badge>exception group</Badge> : null}
    </p>
  )
}
