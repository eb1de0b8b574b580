import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { CheckField } from '#components/ui/form/check-field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { byteText, exactCount } from '#numbers/number-text.ts'
import type { ProjectLimitsView } from '#server/console/project-settings/views.ts'
import { CountField } from './count-field.tsx'
import { LimitRows, LimitTexts } from './limit-rows.tsx'
import { windowChoices, windowText } from './limit-texts.ts'
import { PerformanceIssuesPanel } from './performance-issues-panel.tsx'
import { ProjectSettingsLayout } from './project-settings.tsx'

/** The `/projects/$slug/limits` screen: rate limits, spike protection, retention and traces. */
export function LimitsPage({ view }: { view: ProjectLimitsView }) {
  return (
    <ProjectSettingsLayout view={view}>
      <RateLimitPanel view={view} />
      <SpikeProtectionPanel view={view} />
      <RetentionPanel view={view} />
      <TracesPanel view={view} />
      <PerformanceIssuesPanel view={view} />
    </ProjectSettingsLayout>
  )
}

function RateLimitPanel({ view }: { view: ProjectLimitsView }) {
  const { rateLimits, defaultAddressLimits, canConfigure, marks } = view
  const form = useForm('limits', { mark: marks.rateLimits })
  return (
    <Panel id="rate-limits" title="Rate limits">
      <p className="panel-text quiet">
        Requests over a limit get 429, and the SDK pauses. A limit of 0 blocks a category.
      </p>
      <Form form={form} isDisabled={!canConfigure}>
        <LimitRows
          name="project"
          label="Per project"
          hint="Applies to the project as a whole. No rows: no limit."
          rows={rateLimits.project}
        />
        <LimitRows
          name="key"
          label="Per key"
          hint="Applies to keys without their own limits. No rows: no limit."
          rows={rateLimits.key}
        />
        <SelectField
          label="Per IP address"
          name="addressLimits"
          choices={[
            { value: 'default', label: 'Default limits' },
            { value: 'own', label: 'These limits' },
            { value: 'none', label: 'No limits' },
          ]}
          defaultValue={rateLimits.addressLimits}
          hint={
            <>
              Default: <LimitTexts rows={defaultAddressLimits} />; a batch of logs, or of a trace’s spans,
              counts as one item. Addresses of Culvert’s own machine have no limit.
            </>
          }
        />
        <div className="limit-own">
          <LimitRows name="address" label="Limits per IP address" rows={rateLimits.address} />
        </div>
      </Form>
    </Panel>
  )
}

function SpikeProtectionPanel({ view }: { view: ProjectLimitsView }) {
  const { spikeProtection, defaultSpikeProtection, canConfigure, marks } = view
  const form = useForm('spike-protection', { mark: marks.spikeProtection })
  return (
    <Panel id="spike-protection" title="Spike protection" note="Stores only samples of very frequent issues">
      <Form form={form} isDisabled={!canConfigure}>
        <CheckField name="isOn" label="On" hint="Every event is counted." isOn={spikeProtection.isOn} />
        <CountField
          label="Events stored per issue"
          name="fullEvents"
          preset={defaultSpikeProtection.fullEvents}
          current={spikeProtection.fullEvents}
        />
        <SelectField
          label="Within"
          name="windowSeconds"
          choices={windowChoices([600, 3_600, 21_600, 43_200, 86_400], spikeProtection.windowSeconds)}
          hint={`Default: ${windowText(defaultSpikeProtection.windowSeconds)}`}
          defaultValue={String(spikeProtection.windowSeconds)}
        />
        <CountField
          label="Then store one in"
          name="sampleEvery"
          preset={defaultSpikeProtection.sampleEvery}
          current={spikeProtection.sampleEvery}
        />
      </Form>
    </Panel>
  )
}

function RetentionPanel({ view }: { view: ProjectLimitsView }) {
  const { retention, defaultRetention, maxRetentionDays, maxBytes, canConfigure, marks } = view
  const form = useForm('retention', { mark: marks.retention })
  return (
    <Panel id="retention" title="Retention" note="Oldest events are deleted first; counts remain">
      <Form form={form} isDisabled={!canConfigure}>
        <CountField
          label="Keep events for (days)"
          name="days"
          hint={`At most ${exactCount(maxRetentionDays)}.`}
          preset={defaultRetention.days}
          current={retention.days}
        />
        <CountField
          label="Maximum events"
          name="events"
          preset={defaultRetention.events}
          current={retention.events}
        />
      </Form>
      <DefinitionList
        items={[
          {
            term: 'Storage limit of the installation',
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

function TracesPanel({ view }: { view: ProjectLimitsView }) {
  const { traces, defaultTraceMegabytes, defaultApdexMs, canConfigure, marks } = view
  const form = useForm('traces', { mark: marks.traces })
  return (
    <Panel
      id="traces"
      title="Traces"
      note="All are kept for an hour; traces with errors, slow and new traces are kept longest"
    >
      <Form form={form} isDisabled={!canConfigure}>
        <SelectField
          label="Store traces"
          name="mode"
          choices={[
            { value: 'samples', label: 'On' },
            { value: 'figures', label: 'Figures only' },
            { value: 'off', label: 'Off' },
          ]}
          defaultValue={traces.mode}
          hint="Figures only: rates and percentiles without traces. Off: transactions and spans are only counted."
        />
        <CountField
          label="Maximum size (MB)"
          name="megabytes"
          preset={defaultTraceMegabytes}
          current={traces.megabytes}
        />
        <CountField
          label="Apdex threshold (ms)"
          name="apdexMs"
          hint="Transactions within it satisfy their users. Applies to earlier figures, too."
          preset={defaultApdexMs}
          current={traces.apdexMs}
        />
      </Form>
    </Panel>
  )
}
