import { CheckField } from '#components/ui/check-field.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Field } from '#components/ui/field.tsx'
import { byteText } from '#components/ui/number-text.ts'
import { Panel } from '#components/ui/panel.tsx'
import { SelectField } from '#components/ui/select-field.tsx'
import type { ProjectLimitsView } from '#server/console/project-views.ts'
import type { ProjectDone } from './done-texts.ts'
import { ProjectSettings } from './project-settings.tsx'
import { SettingForm, typedFields, type TypedFields } from './setting-form.tsx'

/** The `/projects/$slug/limits` screen: how much may come, and how much is kept. */
export function LimitsPage({ view, done }: { view: ProjectLimitsView; done?: ProjectDone }) {
  return (
    <ProjectSettings view={view} title="Limits and retention" done={done}>
      <RateLimitPanel view={view} />
      <SpikeGuardPanel view={view} />
      <RetentionPanel view={view} />
    </ProjectSettings>
  )
}

const windows = ['10min', 'hour', '6hour', '12hour', 'day']

/** What can be chosen; what was set on the command line, too. */
function windowChoices(current: string) {
  return [...new Set([...windows, current])].map((value) => ({ value, label: windowNames[value] ?? value }))
}

const windowNames: Record<string, string> = {
  '10min': '10 minutes',
  hour: '1 hour',
  '6hour': '6 hours',
  '12hour': '12 hours',
  day: '1 day',
}

const rateFields = [
  { name: 'project', label: 'For the project', hint: 'Everything it gets. Empty: no limit.' },
  { name: 'key', label: 'For each key', hint: 'Unless the key has limits of its own. Empty: no limit.' },
] as const

function RateLimitPanel({ view }: { view: ProjectLimitsView }) {
  const typed = typedFields(view.form, ({ action }) => action === 'limits')
  const shared = {
    maxLength: 1_000,
    autoCapitalize: 'none',
    spellCheck: false,
    placeholder: 'all=1000/s error=100/min',
  } as const
  return (
    <Panel id="rate-limits" title="Rate limits">
      <p className="panel-text quiet">
        <code>error=100/min</code>, <code>attachment=50M/hour</code> (bytes), <code>session=0</code> for none
        at all, or <code>1000/s</code> for everything together. What is over a limit is answered 429, and the
        SDK waits.
      </p>
      <SettingForm action="limits" isDisabled={!view.mayConfigure} mark={typed.mark(view.marks.rateLimits)}>
        {rateFields.map(({ name, label, hint }) => (
          <Field
            key={name}
            {...shared}
            label={label}
            name={name}
            hint={hint}
            defaultValue={typed.text(name, view.rateLimits[name])}
            problem={typed.problem(name)}
          />
        ))}
        <Field
          {...shared}
          label="For each address that sends"
          name="address"
          placeholder={view.defaultAddressLimit}
          hint={`Empty: the default, ${view.defaultAddressLimit}, but for this machine’s own addresses. “none”: no limit.`}
          defaultValue={typed.text('address', view.rateLimits.address)}
          problem={typed.problem('address')}
        />
      </SettingForm>
    </Panel>
  )
}

/** A whole number. */
function CountField({
  label,
  name,
  hint,
  current,
  typed,
}: {
  label: string
  name: string
  hint: string
  current: number
  typed: TypedFields
}) {
  return (
    <Field
      label={label}
      name={name}
      inputMode="numeric"
      required
      hint={hint}
      defaultValue={typed.text(name, String(current))}
      problem={typed.problem(name)}
    />
  )
}

function SpikeGuardPanel({ view }: { view: ProjectLimitsView }) {
  const typed = typedFields(view.form, ({ action }) => action === 'spike-guard')
  const { spikeGuard, defaultSpikeGuard } = view
  return (
    <Panel id="spike-guard" title="Spike guard" note="An error in a loop is counted, not kept">
      <SettingForm
        action="spike-guard"
        isDisabled={!view.mayConfigure}
        mark={typed.mark(view.marks.spikeGuard)}
      >
        <CheckField
          name="isOn"
          label="On"
          hint="Every event goes on being counted; of a flood only samples are kept."
          isOn={typed.isOn('isOn', spikeGuard.isOn)}
        />
        <CountField
          label="Events of one issue kept whole"
          name="fullEvents"
          hint={`Default: ${defaultSpikeGuard.fullEvents}`}
          current={spikeGuard.fullEvents}
          typed={typed}
        />
        <SelectField
          label="In a time of"
          name="window"
          choices={windowChoices(spikeGuard.window)}
          hint={`Default: ${windowNames[defaultSpikeGuard.window] ?? defaultSpikeGuard.window}`}
          defaultValue={typed.text('window', spikeGuard.window)}
          problem={typed.problem('window')}
        />
        <CountField
          label="Then one in"
          name="sampleEvery"
          hint={`Default: ${defaultSpikeGuard.sampleEvery}`}
          current={spikeGuard.sampleEvery}
          typed={typed}
        />
      </SettingForm>
    </Panel>
  )
}

function RetentionPanel({ view }: { view: ProjectLimitsView }) {
  const typed = typedFields(view.form, ({ action }) => action === 'retention')
  const { retention, defaultRetention, maxRetentionDays, maxBytes } = view
  return (
    <Panel id="retention" title="Retention" note="The oldest events go first; counts stay">
      <SettingForm action="retention" isDisabled={!view.mayConfigure} mark={typed.mark(view.marks.retention)}>
        <CountField
          label="Days an event is kept"
          name="days"
          hint={`At most ${maxRetentionDays}. Default: ${defaultRetention.days}`}
          current={retention.days}
          typed={typed}
        />
        <CountField
          label="Events kept at most"
          name="events"
          hint={`Default: ${defaultRetention.events}`}
          current={retention.events}
          typed={typed}
        />
      </SettingForm>
      <DefinitionList
        items={[
          {
            term: 'Size of the whole installation',
            description: (
              <>
                at most {byteText(maxBytes)}, or less where the disk is small; set by the operator with{' '}
                <code>CULVERT_MAX_BYTES</code>
              </>
            ),
          },
        ]}
      />
    </Panel>
  )
}
