import { Badge } from '#components/ui/badge.tsx'
import { Bars } from '#components/ui/chart/bars.tsx'
import { Count } from '#components/ui/count.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { ProjectListRow } from '#server/console/projects/views.ts'
import { DsnLine } from './dsn-line.tsx'
import { SdkSetup } from './sdk-setup.tsx'

/** One project: its received items, its DSN, and the setup guide. The guide is open until the first event. */
export function ProjectEntry({ project }: { project: ProjectListRow }) {
  const { slug, dsn, platform, lastEventAt } = project
  return (
    <li className="project">
      <header>
        <h2>
          {lastEventAt === undefined && !project.isBuiltIn ? (
            <Link to="/projects/$slug/setup" params={{ slug }}>
              <bdi>{project.name}</bdi>
            </Link>
          ) : (
            <Link to="/issues" search={{ project: slug }}>
              <bdi>{project.name}</bdi>
            </Link>
          )}
        </h2>
        {project.isBuiltIn ? <Badge tone="accent">built in</Badge> : null}
        {platform === undefined ? null : <Badge>{platform}</Badge>}
        <span className="project-links">
          <Link to="/projects/$slug/setup" params={{ slug }}>
            Setup
          </Link>
          <Link to="/projects/$slug" params={{ slug }}>
            Settings
          </Link>
        </span>
      </header>
      {project.isBuiltIn ? <p className="quiet">Culvert reports its own errors here.</p> : null}
      <DefinitionList
        layout="facts"
        items={[
          {
            term: project.counts.length === 24 ? 'Last 24 hours' : 'Last 14 days',
            description: (
              <Bars
                counts={project.counts}
                label="Events"
                unit={project.counts.length === 24 ? 'hour' : 'day'}
              />
            ),
          },
          { term: 'Events in 24 hours', description: <Count value={project.eventCount24h} /> },
          { term: 'Unresolved issues', description: <Count value={project.unresolvedIssueCount} /> },
          {
            term: 'Last event',
            description: lastEventAt === undefined ? 'None' : <Time at={lastEventAt} />,
          },
          { term: 'Created', description: <Time at={project.createdAt} /> },
        ]}
      />
      {dsn === undefined ? (
        <p className="quiet">No active key: events are rejected.</p>
      ) : (
        <DsnLine dsn={dsn} />
      )}
      {project.isBuiltIn || dsn === undefined ? null : (
        <Disclosure summary="Set up an SDK" isOpen={lastEventAt === undefined}>
          <SdkSetup slug={slug} dsn={dsn} platform={platform} />
        </Disclosure>
      )}
    </li>
  )
}
