import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { defaultMonitorSettings, intervalUnits, type MonitorSettings } from '#monitors/schedule.ts'
import { ThresholdFields } from './threshold-fields.tsx'
import { WholeNumberField } from './whole-number-field.tsx'

const kinds = [
  { value: 'crontab', label: 'Crontab' },
  { value: 'interval', label: 'Interval' },
]
const units = intervalUnits.map((unit) => ({ value: unit, label: `${unit}s` }))

/** The fields of a monitor's settings. */
export function SettingFields({ settings }: { settings?: MonitorSettings }) {
  const { schedule } = settings ?? {}
  const { marginMinutes, maxRuntimeMinutes, failureThreshold, recoveryThreshold } =
    settings ?? defaultMonitorSettings
  const crontab = schedule?.kind === 'crontab' ? schedule : undefined
  const interval = schedule?.kind === 'interval' ? schedule : undefined
  return (
    <>
      <SelectField label="Schedule" name="kind" choices={kinds} defaultValue={schedule?.kind ?? 'crontab'} />
      <div className="crontab-fields">
        <Field
          label="Crontab"
          name="crontab"
          maxLength={200}
          placeholder="0 4 * * *"
          defaultValue={crontab?.crontab}
          hint="Minute, hour, day of the month, month and day of the week; or a nickname such as @daily."
          autoCapitalize="none"
        />
        <Field
          label="Time zone"
          name="timeZone"
          maxLength={60}
          placeholder="Europe/Berlin"
          defaultValue={crontab?.timeZone ?? 'UTC'}
          autoCapitalize="none"
        />
      </div>
      <div className="interval-fields">
        <Field
          label="Interval"
          name="value"
          inputMode="numeric"
          maxLength={5}
          defaultValue={interval === undefined ? '' : String(interval.value)}
        />
        <SelectField label="Unit" name="unit" choices={units} defaultValue={interval?.unit ?? 'hour'} />
      </div>
      <WholeNumberField
        label="Margin"
        name="marginMinutes"
        value={marginMinutes}
        hint="Minutes that a check-in may be late or early."
      />
      <WholeNumberField
        label="Maximum runtime"
        name="maxRuntimeMinutes"
        value={maxRuntimeMinutes}
        hint="Minutes after which an unfinished run counts as failed."
      />
      <ThresholdFields failureThreshold={failureThreshold} recoveryThreshold={recoveryThreshold} />
    </>
  )
}
