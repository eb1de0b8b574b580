import { ConfirmedForm } from '#components/form/confirmed-form.tsx'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Badge } from '#components/ui/badge.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { ProjectUpstreamsView, ProjectUpstreamView } from '#server/console/project-settings/views.ts'
import { ProjectSettingsLayout } from './project-settings.tsx'

/** The `/projects/$slug/upstreams` screen: the upstreams to which the project's envelopes are forwarded. */
export function UpstreamsPage({ view }: { view: ProjectUpstreamsView }) {
  const { upstreams, canConfigure, project } = view
  return (
    <ProjectSettingsLayout view={view}>
      {upstreams.length === 0 ? (
        <Panel id="upstreams" title="Upstreams">
          <p className="panel-text">
            No forwarding set up. An upstream is another error-reporting service that receives a copy of this
            project’s data: Sentry, GlitchTip or another Culvert.
          </p>
        </Panel>
      ) : (
        <Panel id="upstreams" title="Upstreams" note={<Link to="/tunnel">Delivery status</Link>}>
          <ul className="key-list">
            {upstreams.map((upstream) => (
              <UpstreamEntry key={upstream.upstreamId} upstream={upstream} view={view} />
            ))}
          </ul>
        </Panel>
      )}
      {upstreams.length === 0 ? null : <ModePanel view={view} />}
      {canConfigure && !project.isBuiltIn ? <AddPanel /> : null}
    </ProjectSettingsLayout>
  )
}

function UpstreamEntry({ upstream, view }: { upstream: ProjectUpstreamView; view: ProjectUpstreamsView }) {
  const { upstreamId, dsn, host, hostProjectId, query, connect, kinds } = upstream
  const { isFromEnvironment, isPaused, isRetired, waitingCount, failedCount } = upstream
  const heldCount = waitingCount + failedCount
  const remove = useForm('remove', { of: { upstream: upstreamId } })
  return (
    <li className="key-entry" data-active={!isPaused && !isRetired}>
      <header>
        <h3>
          <bdi>{host}</bdi> <span className="quiet">project {hostProjectId}</span>
        </h3>
        {isPaused ? <Badge>paused</Badge> : null}
        {isRetired ? <Badge>retired</Badge> : null}
        {isFromEnvironment ? <Badge tone="accent">from the environment</Badge> : null}
      </header>
      <DefinitionList
        items={[
          ...(dsn === '' ? [] : [{ term: 'DSN', description: <code>{dsn}</code> }]),
          { term: 'Sends', description: kinds === 'all' ? 'everything' : 'errors and their attachments' },
          ...(query === undefined
            ? []
            : [{ term: 'Tunnel URL', description: <code>{`${view.tunnelPath}${query}`}</code> }]),
          ...(connect === undefined ? [] : [{ term: 'Connects to', description: <code>{connect}</code> }]),
          { term: 'Queued', description: countedNoun(waitingCount, 'envelope') },
          ...(failedCount === 0
            ? []
            : [{ term: 'Rejected', description: countedNoun(failedCount, 'envelope') }]),
        ]}
      />
      {view.canConfigure ? (
        <ConfirmedForm
          form={remove}
          verb="Remove"
          subject={`${host} project ${hostProjectId}`}
          warning={
            heldCount === 0
              ? 'New events are no longer forwarded to it.'
              : `New events are no longer forwarded to it, and ${countedNoun(heldCount, 'envelope')} for it ${heldCount === 1 ? 'is' : 'are'} discarded.`
          }
        />
      ) : null}
    </li>
  )
}

function ModePanel({ view }: { view: ProjectUpstreamsView }) {
  const { isStoredHere, canConfigure, marks } = view
  const form = useForm('mode', { mark: marks.forwarding })
  return (
    <Panel id="mode" title="Storage">
      <Form form={form} isDisabled={!canConfigure}>
        <SelectField
          label="Received data"
          name="stored"
          choices={[
            { value: 'true', label: 'Store and forward' },
            { value: 'false', label: 'Forward only' },
          ]}
          defaultValue={String(isStoredHere)}
          hint="With “Forward only” there are no issues here, and an envelope is deleted once it is delivered."
        />
      </Form>
    </Panel>
  )
}

function AddPanel() {
  const form = useForm('add')
  return (
    <Panel id="add-upstream" title="Add upstream">
      <Form form={form} submitLabel="Add upstream">
        <Field
          label="DSN"
          name="dsn"
          required
          maxLength={1_000}
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://KEY@o4507.ingest.us.sentry.io/42"
          hint="DSN of the target project. Forwarded unscrubbed."
        />
        <SelectField
          label="Send"
          name="kinds"
          choices={[
            { value: 'all', label: 'Everything' },
            { value: 'errors', label: 'Errors and their attachments' },
          ]}
        />
        <Disclosure
          summary="Match by organization, project and region"
          isOpen={form.entered?.['organization'] !== undefined && form.entered['organization'] !== ''}
        >
          <Field
            label="Organization (o)"
            name="organization"
            inputMode="numeric"
            size={20}
            pattern="[0-9]{1,20}"
            hint="Not needed for Sentry’s own hosts."
          />
          <Field label="Region (r)" name="region" pattern="[a-z]{2}" maxLength={2} autoCapitalize="none" />
        </Disclosure>
      </Form>
    </Panel>
  )
}
