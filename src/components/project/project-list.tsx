import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { Link } from '#components/ui/link.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { ProjectListView } from '#server/console/projects/views.ts'
import { ProjectEntry } from './project-entry.tsx'
import '#styles/settings.css'

/** The `/projects` screen: every project with its received items, its DSN and its setup guide. */
export function ProjectList({ view }: { view: ProjectListView }) {
  return (
    <NowProvider now={view.now}>
      <PageHeader title="Projects" description="One project per application.">
        <div className="project-list-actions">
          <LinkTabs label="Period">
            <Link to="/projects" search={{}} activeOptions={{ exact: true }}>
              24 hours
            </Link>
            <Link to="/projects" search={{ period: '14d' }}>
              14 days
            </Link>
          </LinkTabs>
          {view.canCreate ? (
            <Link to="/projects/new" className="button" data-tone="primary">
              New project
            </Link>
          ) : null}
        </div>
      </PageHeader>
      {view.projects.length === 0 ? (
        <EmptyState title="No projects yet">
          <p>
            {view.canCreate
              ? 'Create a project and connect an SDK; its errors will appear here.'
              : 'Ask an admin or owner of your organization for access.'}
          </p>
        </EmptyState>
      ) : (
        <ul className="projects">
          {view.projects.map((project) => (
            <ProjectEntry key={project.id} project={project} />
          ))}
        </ul>
      )}
    </NowProvider>
  )
}
