import type { MonitorSettings } from '#monitors/schedule.ts'
import { WholeNumberField } from './whole-number-field.tsx'

/** The thresholds of a monitor: failures that create an issue, and successes that resolve it. */
export function ThresholdFields({
  failureThreshold,
  recoveryThreshold,
}: Pick<MonitorSettings, 'failureThreshold' | 'recoveryThreshold'>) {
  return (
    <>
      <WholeNumberField
        label="Failure threshold"
        name="failureThreshold"
        value={failureThreshold}
        hint="Consecutive failures that create an issue."
      />
      <WholeNumberField
        label="Recovery threshold"
        name="recoveryThreshold"
        value={recoveryThreshold}
        hint="Consecutive successes that resolve it."
      />
    </>
  )
}
