import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { findReasonSentence } from '#components/outcome/outcome-texts.ts'
import { Count } from '#components/ui/count.tsx'
import { CheckField } from '#components/ui/form/check-field.tsx'
import { TextAreaField } from '#components/ui/form/text-area-field.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectFilterView, ProjectInboundView } from '#server/console/project-settings/views.ts'
import { DiscardedIssues } from './discarded-issues.tsx'
import { ProjectSettingsLayout } from './project-settings.tsx'

type ListName = keyof ProjectInboundView['lists']

const listFields: Record<string, { name: ListName; label: string; placeholder: string; hint: string }> = {
  'ignored-error': {
    name: 'ignoreErrors',
    label: 'Text in messages',
    placeholder: 'NetworkError when attempting to fetch',
    hint: 'One per line, in addition to the defaults. Drops events whose message contains the text.',
  },
  'error-message': {
    name: 'errorMessages',
    label: 'Message patterns',
    placeholder: 'TypeError: *undefined*\n*quota exceeded*',
    hint: 'One per line. Must match a whole message, type, value or “type: value”; * matches any text, {a,b} either one.',
  },
  'release-version': {
    name: 'releases',
    label: 'Release patterns',
    placeholder: '1.*\nweb@2.0.0-beta*',
    hint: 'One per line.',
  },
  'ip-address': {
    name: 'clientAddresses',
    label: 'IP addresses',
    placeholder: '203.0.113.7\n2001:db8::/32',
    hint: 'One per line: sender IPs or CIDR ranges.',
  },
  'filtered-transaction': {
    name: 'transactions',
    label: 'Transaction patterns',
    placeholder: 'GET /status*',
    hint: 'One per line, in addition to health checks.',
  },
  'invalid-csp': {
    name: 'cspSources',
    label: 'CSP report origins',
    placeholder: '*.ads.example',
    hint: 'One per line, in addition to the defaults.',
  },
}

/** The `/projects/$slug/inbound` screen: the filters and allowed origins of a project. */
export function InboundPage({ view }: { view: ProjectInboundView }) {
  const { project, canConfigure, allowedOrigins, foreignOriginCount } = view
  const origins = useForm('origins', { mark: view.marks.allowedOrigins })
  const filters = useForm('filters', { mark: view.marks.filters })
  return (
    <ProjectSettingsLayout view={view}>
      <Panel
        id="filters"
        title="Filters"
        note={
          <Link to="/outcomes" search={{ project: project.slug, period: '7d' }}>
            Counts and samples
          </Link>
        }
      >
        <p className="panel-text quiet">
          Dropped events are acknowledged and counted. Samples are kept for 30 days. Counts: last 7 days.
        </p>
        <Form form={filters} isDisabled={!canConfigure}>
          <ul className="filter-list">
            {view.filters.map((filter) => (
              <li key={filter.reason}>
                <FilterField filter={filter} view={view} />
              </li>
            ))}
          </ul>
        </Form>
      </Panel>
      <DiscardedIssues discarded={view.discarded} canConfigure={canConfigure} />
      <Panel id="origins" title="Allowed origins">
        <Form form={origins} isDisabled={!canConfigure}>
          <TextAreaField
            label="Allowed domains"
            name="origins"
            defaultValue={allowedOrigins.join('\n')}
            placeholder="*.example.com"
            hint="One per line: example.com, *.example.com, https://example.com:8443, or * for all. Empty blocks all browsers; servers are unaffected."
          />
        </Form>
        {foreignOriginCount === 0 ? null : (
          <p className="panel-note">
            <Count value={foreignOriginCount} /> requests from other origins were rejected in the last 7 days.
          </p>
        )}
      </Panel>
    </ProjectSettingsLayout>
  )
}

function FilterField({
  filter: { reason, isOn, droppedCount, isOnByDefault },
  view,
}: {
  filter: ProjectFilterView
  view: ProjectInboundView
}) {
  const list = listFields[reason]
  return (
    <>
      <CheckField
        name="filters"
        value={reason}
        label={<code>{reason}</code>}
        hint={`${findReasonSentence('filtered', reason) ?? ''}${isOnByDefault ? '' : ' Off by default.'}`}
        isOn={isOn}
      >
        {droppedCount === 0 ? null : (
          <Link to="/outcomes" search={{ project: view.project.slug, period: '7d' }}>
            <Count value={droppedCount} /> dropped
          </Link>
        )}
      </CheckField>
      {list === undefined ? null : (
        <TextAreaField
          label={list.label}
          name={list.name}
          rows={Math.min(8, Math.max(2, view.lists[list.name].length))}
          placeholder={list.placeholder}
          hint={list.hint}
          defaultValue={view.lists[list.name].join('\n')}
        />
      )}
    </>
  )
}
