import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { CheckField } from '#components/ui/form/check-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectLimitsView } from '#server/console/project-settings/views.ts'
import { CountField } from './count-field.tsx'

/** The settings of performance issues. */
export function PerformanceIssuesPanel({ view }: { view: ProjectLimitsView }) {
  const { performanceIssues: current, defaultPerformanceIssues: preset, canConfigure, marks } = view
  const form = useForm('performance-issues', { mark: marks.performanceIssues })
  return (
    <Panel id="performance-issues" title="Performance issues" note="Problems in traces that become issues">
      <Form form={form} isDisabled={!canConfigure}>
        <CheckField
          name="nPlusOneQueries"
          label="N+1 queries"
          hint="A query that is repeated after another query."
          isOn={current.nPlusOneQueries.isOn}
        />
        <CountField
          label="Repeated queries, at least"
          name="nPlusOneQueryCount"
          preset={preset.nPlusOneQueries.count}
          current={current.nPlusOneQueries.count}
        />
        <CountField
          label="Total time at least (ms)"
          name="nPlusOneQueryMs"
          preset={preset.nPlusOneQueries.totalMs}
          current={current.nPlusOneQueries.totalMs}
        />
        <CheckField
          name="slowQueries"
          label="Slow queries"
          hint="A query that takes longer than the threshold."
          isOn={current.slowQueries.isOn}
        />
        <CountField
          label="A query takes at least (ms)"
          name="slowQueryMs"
          preset={preset.slowQueries.durationMs}
          current={current.slowQueries.durationMs}
        />
        <CheckField
          name="nPlusOneRequests"
          label="N+1 API calls"
          hint="Requests of a page that differ only in their values and start together."
          isOn={current.nPlusOneRequests.isOn}
        />
        <CountField
          label="Repeated requests, at least"
          name="nPlusOneRequestCount"
          preset={preset.nPlusOneRequests.count}
          current={current.nPlusOneRequests.count}
        />
        <CountField
          label="Total request time at least (ms)"
          name="nPlusOneRequestMs"
          preset={preset.nPlusOneRequests.totalMs}
          current={current.nPlusOneRequests.totalMs}
        />
      </Form>
    </Panel>
  )
}
