import { CheckField } from '#components/ui/form/check-field.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { TextAreaField } from '#components/ui/form/text-area-field.tsx'
import {
  defaultUptimeSettings,
  defaultWarnDays,
  formatUptimeTarget,
  uptimeBounds,
  uptimeMethods,
  type UptimeSettings,
} from '#monitors/uptime.ts'
import { ThresholdFields } from './threshold-fields.tsx'
import { WholeNumberField } from './whole-number-field.tsx'

const kinds = [
  { value: 'http', label: 'HTTP or HTTPS' },
  { value: 'tcp', label: 'TCP port' },
  { value: 'certificate', label: 'Certificate expiry' },
]
const methods = uptimeMethods.map((method) => ({ value: method, label: method }))

/** The fields of an uptime monitor's settings. */
export function UptimeFields({ settings }: { settings?: UptimeSettings }) {
  const { target } = settings ?? {}
  const { intervalSeconds, timeoutSeconds, failureThreshold, recoveryThreshold } =
    settings ?? defaultUptimeSettings
  return (
    <>
      <SelectField label="Check" name="kind" choices={kinds} defaultValue={target?.kind ?? 'http'} />
      <Field
        label="Address"
        name="address"
        required
        maxLength={uptimeBounds.urlCharacters}
        placeholder="https://shop.example.com/health"
        defaultValue={target === undefined ? '' : formatUptimeTarget(target)}
        hint="A URL; for a TCP port or a certificate, HOST:PORT."
        autoCapitalize="none"
        spellCheck={false}
      />
      <WholeNumberField
        label="Interval"
        name="intervalSeconds"
        value={intervalSeconds}
        hint="Seconds between checks: 30 to 86,400."
      />
      <WholeNumberField
        label="Timeout"
        name="timeoutSeconds"
        value={timeoutSeconds}
        hint="Seconds for a check including redirects: 1 to 30."
      />
      <ThresholdFields failureThreshold={failureThreshold} recoveryThreshold={recoveryThreshold} />
      <HttpFields target={target?.kind === 'http' ? target : undefined} />
      <fieldset className="uptime-fields">
        <legend>Certificate expiry</legend>
        <WholeNumberField
          label="Warn before"
          name="warnDays"
          value={target?.kind === 'certificate' ? target.warnDays : defaultWarnDays}
          hint="Days before the certificate expires."
        />
      </fieldset>
    </>
  )
}

function HttpFields({ target }: { target: Extract<UptimeSettings['target'], { kind: 'http' }> | undefined }) {
  return (
    <fieldset className="uptime-fields">
      <legend>HTTP or HTTPS</legend>
      <SelectField label="Method" name="method" choices={methods} defaultValue={target?.method ?? 'GET'} />
      <TextAreaField
        label="Headers"
        name="headers"
        placeholder="Authorization: Bearer …"
        defaultValue={target?.headers.map(([name, value]) => `${name}: ${value}`).join('\n') ?? ''}
        hint="One per line. Visible only to users who may configure the project."
      />
      <TextAreaField
        label="Body"
        name="body"
        maxLength={uptimeBounds.bodyCharacters}
        defaultValue={target?.body ?? ''}
      />
      <Field
        label="Expected status"
        name="expectedStatus"
        maxLength={uptimeBounds.statusCharacters}
        placeholder="2xx"
        defaultValue={target?.expectedStatus ?? '2xx'}
        hint="Such as 2xx, 200-204 or 200, 401."
      />
      <Field
        label="Expected text"
        name="expectedText"
        maxLength={uptimeBounds.textCharacters}
        defaultValue={target?.expectedText ?? ''}
        hint="Must be in the first 1 MB of the response. Empty: the body is not read."
      />
      <CheckField
        name="followsRedirects"
        label="Follow redirects"
        isOn={target?.followsRedirects ?? true}
        hint="At most 5. The expected status applies to the last response."
      />
    </fieldset>
  )
}
