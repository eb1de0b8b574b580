import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHeader } from '#components/layout/page-header.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { NowProvider } from '#components/ui/now-provider.tsx'
import type { ProjectPageView } from '#server/console/project-views.ts'
import { doneTexts, type ProjectDone } from './done-texts.ts'
import { projectPages } from './project-pages.ts'
import '#styles/settings.css'

/** A page of a project: its name, the way to the other pages, and what was just done. */
export function ProjectSettings({
  view,
  title,
  done,
  children,
}: {
  view: ProjectPageView
  title: string
  done: ProjectDone | undefined
  children: ReactNode
}) {
  const { project, form, mayConfigure, now } = view
  const problems = form?.problems ?? []
  return (
    <NowProvider now={now}>
      <PageHeader title={title} description={<ProjectLine view={view} />} />
      <div className="project-settings">
        <nav className="project-nav" aria-label={`Settings of ${project.name}`}>
          <ul>
            {projectPages.map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
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
          {done === undefined || problems.length > 0 ? null : (
            <p className="form-note" role="status">
              {doneTexts[done]}
            </p>
          )}
          {problems.length === 0 ? null : (
            <p className="form-problem" role="alert">
              {problems.find(({ field }) => field === undefined)?.message ??
                'Nothing was saved yet: see what is said beside the fields.'}
              {form?.status === 409 ? (
                <>
                  {' '}
                  <a href="?" target="_blank" rel="noreferrer">
                    See theirs in another tab
                  </a>
                </>
              ) : null}
            </p>
          )}
          {mayConfigure ? null : (
            <p className="project-read-only">
              You can read these settings. Admins and owners of the organization can change them.
            </p>
          )}
          {children}
        </div>
      </div>
    </NowProvider>
  )
}

function ProjectLine({ view: { project } }: { view: ProjectPageView }) {
  return (
    <span className="project-line">
      <Link to="/issues" search={{ project: project.slug }}>
        <bdi>{project.name}</bdi>
      </Link>
      {project.isBuiltIn ? <Badge tone="accent">built in</Badge> : null}
      {project.isAccepting ? null : <Badge tone="warning">disabled</Badge>}
    </span>
  )
}
