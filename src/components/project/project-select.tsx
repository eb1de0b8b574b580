import type { ProjectName } from '#server/store/project-list-views.ts'

/** The choice of a project in a filter form: sent as `project`, its slug, and empty for all of them. */
export function ProjectSelect({
  projects,
  chosen,
}: {
  projects: readonly ProjectName[]
  chosen: string | undefined
}) {
  return (
    <select name="project" aria-label="Project" defaultValue={chosen ?? ''}>
      <option value="">All projects</option>
      {projects.map((project) => (
        <option key={project.id} value={project.slug}>
          {project.name}
        </option>
      ))}
    </select>
  )
}
