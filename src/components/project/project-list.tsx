import { EmptyState } from '#components/layout/empty-state.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { NowProvider } from '#components/ui/now-provider.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectListView } from '#server/store/views.ts'
import { ProjectEntry } from './project-entry.tsx'

const addCommand = 'npm run -s culvert -- project add NAME'

/** The `/projects` screen: every project with its DSN and set-up, and how to add one. */
export function ProjectList({ view }: { view: ProjectListView }) {
  return (
    <NowProvider now={view.now}>
      <PageHeader title="Projects" description="One project for each application that reports here." />
      {view.projects.length === 0 ? (
        <EmptyState title="No projects yet">
          <p>Add one with the command below; it prints the DSN.</p>
        </EmptyState>
      ) : (
        <ul className="projects">
          {view.projects.map((project) => (
            <ProjectEntry key={project.id} project={project} />
          ))}
        </ul>
      )}
      <Panel id="add" title="Add a project">
        <p className="quiet panel-text">
          On the machine that runs Culvert, in its folder. It prints the new project’s DSN; no restart is
          needed.
        </p>
        <CodeBlock label="Shell" code={addCommand} />
      </Panel>
    </NowProvider>
  )
}
