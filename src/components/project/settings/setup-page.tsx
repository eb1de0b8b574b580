import { Link } from '@tanstack/react-router'
import { issueLabel } from '#components/issue/issue-label.ts'
import { DsnLine } from '#components/project/dsn-line.tsx'
import { SdkSetup } from '#components/project/sdk-setup.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectSetupView } from '#server/console/project-views.ts'
import type { ProjectDone } from './done-texts.ts'
import { ProjectSettings } from './project-settings.tsx'
import { SettingForm } from './setting-form.tsx'

/** The `/projects/$slug/setup` screen: pointing an SDK at the project, and waiting for what it sends. */
export function SetupPage({ view, done }: { view: ProjectSetupView; done?: ProjectDone }) {
  const { project, dsn, mayConfigure } = view
  return (
    <ProjectSettings view={view} title="Set-up" done={done}>
      <FirstEvent view={view} />
      {dsn === undefined ? (
        <Panel id="dsn" title="DSN">
          <p>
            No key is active.{' '}
            <Link to="/projects/$slug/keys" params={{ slug: project.slug }}>
              Enable or add one
            </Link>
            , and its DSN stands here.
          </p>
        </Panel>
      ) : (
        <Panel id="dsn" title="Point an SDK here" note="Choose yours, and paste">
          <DsnLine dsn={dsn} />
          <SdkSetup slug={project.slug} dsn={dsn} platform={project.platform} />
          <p className="panel-text quiet">
            Code that is built shows as its source once its{' '}
            <Link to="/projects/$slug/source-maps" params={{ slug: project.slug }}>
              source maps
            </Link>{' '}
            are here.
          </p>
        </Panel>
      )}
      {mayConfigure && dsn !== undefined ? (
        <Panel id="test" title="Or try it without one">
          <p className="panel-text quiet">
            Sends an event named TestEvent on the way that an SDK’s take: with the key, through limits,
            filters and grouping.
          </p>
          <SettingForm action="test" isDisabled={false} submitLabel="Send a test event" tone="plain" />
        </Panel>
      ) : null}
    </ProjectSettings>
  )
}

/** Turns by itself where there is JavaScript; else the link asks. */
function FirstEvent({ view: { project, issue } }: { view: ProjectSetupView }) {
  return (
    <section className="first-event" aria-label="First event" data-here={issue !== undefined}>
      <p role="status">{issue === undefined ? 'Waiting for the first event…' : 'Events are coming in.'}</p>
      {issue === undefined ? (
        <a href={`/projects/${project.slug}/setup`}>Look again</a>
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
