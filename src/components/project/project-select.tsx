import type { OwnIssues } from '#server/console/issues/views.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

interface ProjectSelectProps {
  projects: readonly ProjectName[]
  /** Culvert's own project, if its issues need attention. */
  own?: OwnIssues | undefined
  chosen: string | undefined
}

/**
 * Selects a project in a filter form: the field `project` is the slug, or empty for all. A deleted or
 * inaccessible project in the URL stays selected: the page then shows no data.
 */
export function ProjectSelect({ projects, own, chosen }: ProjectSelectProps) {
  const isUnknown = chosen !== undefined && !projects.some(({ slug }) => slug === chosen)
  return (
    <select name="project" aria-label="Project" defaultValue={chosen ?? ''}>
      <option value="">All projects</option>
      {isUnknown && <option>{chosen}</option>}
      {projects.map((project) => (
        <option key={project.id} value={project.slug}>
          {project.slug === own?.slug ? `${project.name} (${own.unresolved.count})` : project.name}
        </option>
      ))}
    </select>
  )
}
