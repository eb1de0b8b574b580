import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { issueLabel } from '#components/issue/issue-label.ts'
import { Arrivals } from '#components/project/arrivals.tsx'
import { DsnLine } from '#components/project/dsn-line.tsx'
import { RejectedRequests } from '#components/project/rejected-requests.tsx'
import { SdkSetup } from '#components/project/sdk-setup.tsx'
import { StoredData } from '#components/project/stored-data.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectSetupView } from '#server/console/project-settings/views.ts'
import { ProjectSettingsLayout } from './project-settings.tsx'

/** The `/projects/$slug/setup` screen: how to connect an SDK, and whether events have arrived. */
export function SetupPage({ view }: { view: ProjectSetupView }) {
  const { project, dsn, canConfigure } = view
  return (
    <ProjectSettingsLayout view={view}>
      <FirstEvent view={view} />
      <RejectedRequests slug={project.slug} rejected={view.rejected} />
      {dsn === undefined ? (
        <Panel id="dsn" title="DSN">
          <p>
            {canConfigure ? (
              <>
                No key is active.{' '}
                <Link to="/projects/$slug/keys" params={{ slug: project.slug }}>
                  Enable or add a key
                </Link>{' '}
                to see its DSN.
              </>
            ) : (
              'No key is active. Ask an admin to enable one.'
            )}
          </p>
        </Panel>
      ) : (
        <Panel id="dsn" title="Connect an SDK" note="Pick your platform">
          <DsnLine dsn={dsn} />
          <SdkSetup slug={project.slug} dsn={dsn} platform={project.platform} />
          <p className="panel-text quiet">
            Upload{' '}
            <Link to="/projects/$slug/source-maps" params={{ slug: project.slug }}>
              source maps
            </Link>{' '}
            to see the original code in stack traces.
          </p>
        </Panel>
      )}
      {canConfigure && dsn !== undefined ? <TestEvent slug={project.slug} /> : null}
      <StoredData slug={project.slug} />
    </ProjectSettingsLayout>
  )
}

/** Updated automatically with JavaScript; without it, the link reloads the page. */
function FirstEvent({ view: { project, issue, arrivals } }: { view: ProjectSetupView }) {
  return (
    <section className="first-event" aria-label="First event" data-here={issue !== undefined}>
      <p role="status">{issue === undefined ? 'Waiting for the first event…' : 'Receiving events.'}</p>
      {issue === undefined ? (
        <>
          <a href={`/projects/${project.slug}/setup`}>Refresh</a>
          <Arrivals lines={arrivals} slug={project.slug} />
        </>
      ) : (
        <>
          <Link to="/issues/$issueId" params={{ issueId: issue.issueId }}>
            <bdi>{issueLabel(issue)}</bdi>
          </Link>
          <Link to="/issues" search={{ project: project.slug }}>
            All issues
          </Link>
        </>
      )}
    </section>
  )
}

function TestEvent({ slug }: { slug: string }) {
  const form = useForm('test')
  const sent = form.shown?.kind === 'test-event' ? form.shown : undefined
  return (
    <Panel id="test" title="No SDK yet?">
      <p className="panel-text quiet">
        A test event passes the full pipeline: key, limits, filters and grouping.
      </p>
      <div role="status">
        {sent === undefined ? null : (
          <p className="form-note">
            {sent.isStored ? (
              <>
                Test event received:{' '}
                <Link to="/events/$eventId" params={{ eventId: sent.eventId }}>
                  open event {sent.eventId.slice(0, 12)}
                </Link>
              </>
            ) : (
              <>
                The test event was accepted, but dropped by a filter or by spike protection.{' '}
                <Link to="/outcomes" search={{ project: slug }}>
                  See Ingestion for the reason
                </Link>
              </>
            )}
          </p>
        )}
      </div>
      <Form form={form} submitLabel="Send test event" tone="plain" />
    </Panel>
  )
}
