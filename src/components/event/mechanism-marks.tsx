import { Badge } from '#components/ui/badge.tsx'
import type { Mechanism } from '#protocol/event.ts'

/** Whether an exception was handled; the title has the mechanism. */
export function MechanismMarks({ mechanism }: { mechanism: Mechanism | undefined }) {
  const { handled, type, synthetic, isExceptionGroup } = mechanism ?? {}
  if (handled === undefined && synthetic !== true && isExceptionGroup !== true) return null
  return (
    <p className="exception-marks" title={type === undefined ? undefined : `Mechanism: ${type}`}>
      {handled === false ? <Badge tone="danger">unhandled</Badge> : null}
      {handled === true ? <Badge tone="success">handled</Badge> : null}
      {synthetic === true ? <Badge>Non-error value thrown</Badge> : null}
      {isExceptionGroup === true ? <Badge>exception group</Badge> : null}
    </p>
  )
}
