import type { SearchExpression } from '#search/term.ts'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import type { OwnIssues } from '#server/console/issues/views.ts'
import type { IssueMark } from '#server/store/issues/records.ts'
import { listMatchingProjects } from '#server/store/issues/search/condition.ts'
import type { BuiltInProject, StreamFrame } from '#server/store/issues/stream-frame.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** The projects whose issues a list shows. */
export interface ShownProjects {
  projects: readonly ProjectName[]
  /** Culvert's own project, if it is left out. */
  left?: BuiltInProject
}

/**
 * Chooses the projects of a search. Culvert's own project is included only if the search names the project or
 * an issue or event of it, or if there is no other project: a team that monitors its applications does not
 * monitor Culvert.
 */
export function chooseProjects(
  { projects, builtIn }: Pick<StreamFrame, 'projects' | 'builtIn'>,
  expression: SearchExpression,
): ShownProjects {
  if (builtIn === undefined || projects.length === 1 || canName(expression, builtIn)) return { projects }
  return { projects: projects.filter(({ id }) => id !== builtIn.id), left: builtIn }
}

function canName(expression: SearchExpression, project: ProjectName): boolean {
  switch (expression.kind) {
    case 'term':
      break
    case 'not':
      return false
    case 'all':
    case 'any':
      return expression.of.some((each) => canName(each, project))
  }
  const { condition } = expression
  if (condition.kind === 'project') return listMatchingProjects(condition, [project]).length > 0
  return condition.kind === 'issue' || condition.kind === 'event'
}

/** The progress marks of the shown projects. Changes in other projects are not announced. */
export function marksOf(
  { marks }: Pick<StreamFrame, 'marks'>,
  { projects }: ShownProjects,
): Record<number, IssueMark> {
  return Object.fromEntries(
    projects.flatMap(({ id }) => {
      const mark = marks[id]
      return mark === undefined ? [] : [[id, mark]]
    }),
  )
}

/** Culvert's own issues in a list of all projects, for its admins. */
export function findOwnIssues(viewer: Viewer, { left }: ShownProjects): OwnIssues | undefined {
  if (left === undefined || left.unresolved.count === 0) return undefined
  if (!projectsWith(viewer, 'configure').includes(left.id)) return undefined
  const { slug, name, unresolved } = left
  return { slug, name, unresolved }
}
