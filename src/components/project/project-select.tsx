import type { ProjectName } from '#server/store/project-list-views.ts'

/**
 * The choice of a project in a filter form: sent as `project`, its slug, and empty for all of them. One that is gone, or out of reach, stays
 * chosen where an address names it: nothing else is shown then.
 */
export function ProjectSelect({
  projects,
  chosen,
}: {
  projects: readonly ProjectName[]
  chosen: string | undefined
}) {
  const isUnknown = chosen !== undefined && !projects.some(({ slug }) => slug === chosen)
  return (
    <select name="project" aria-label="Project" defaultValue={chosen ?? ''}>
      <option value="">All projects</option>
      {isUnknown && <option>{chosen}</option>}
      {projects.map((project) => (
        <option key={project.id} value={project.slug}>
          {project.name}
        </option>
      ))}
    </select>
  )
}
