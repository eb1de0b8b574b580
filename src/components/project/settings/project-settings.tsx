import type { ReactNode } from 'react'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Link } from '#components/ui/link.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { ProjectPageView } from '#server/console/project-settings/views.ts'
import '#styles/settings.css'

/** The frame of a project settings page, with links to the other pages. */
export function ProjectSettingsLayout({ view, children }: { view: ProjectPageView; children: ReactNode }) {
  const { project, title, isReadOnly, openPages, now } = view
  return (
    <NowProvider now={now}>
      <ProjectTrail view={view} />
      <PageHeader title={title} />
      <div className="project-settings">
        <nav className="project-nav" aria-label={`Settings of ${project.name}`}>
          <ul>
            {openPages.map(({ page, title: label }) => (
              <li key={page}>
                <Link
                  to={pathOf(page)}
                  params={{ slug: project.slug }}
                  activeOptions={{ exact: true, includeSearch: false }}
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="project-settings-page">
          {isReadOnly ? (
            <p className="project-read-only">
              You can read these settings. Admins and owners of the organization can change them.
            </p>
          ) : null}
          {children}
        </div>
      </div>
    </NowProvider>
  )
}

/** The route of a page by its name. */
function pathOf(page: string): string {
  return page === 'general' ? '/projects/$slug' : `/projects/$slug/${page}`
}

function ProjectTrail({ view: { project } }: { view: ProjectPageView }) {
  return (
    <div className="project-line">
      <Trail>
        <Link to="/projects" activeOptions={{ exact: true }} data-shortcut="back">
          Projects
        </Link>
        <Link to="/issues" search={{ project: project.slug }}>
          <bdi>{project.name}</bdi>
        </Link>
      </Trail>
      {project.isBuiltIn ? <Badge tone="accent">built in</Badge> : null}
      {project.isAccepting ? null : <Badge tone="warning">disabled</Badge>}
    </div>
  )
}
