import * as v from 'valibot'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import { actionForm, defineAction } from '#server/console/forms/action-form.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { rawText } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import type { DeadLetterReference } from '#server/store/ingest/records.ts'
import { listDeadLetters, listProjectsWithDeadLetters } from '#server/store/outcomes/dead-letters.ts'
import type { DeadLetterListView } from './views.ts'

/**
 * The newest dead letters of the projects that the viewer may configure, because they are not scrubbed. Two
 * statements.
 */
export async function getDeadLetterView(
  { store: { db }, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
): Promise<DeadLetterListView> {
  const projectIds = projectsWith(viewer, 'configure')
  const all = await listProjectsWithDeadLetters(db)
  const projects = all.filter(({ project }) => projectIds.includes(project.id))
  const letters = await listDeadLetters(db, { projectIds, limit: limits.deadLettersShown })
  return {
    now: clock(),
    canConfigure: projectIds.length > 0,
    count: projects.reduce((sum, { deadLetterCount }) => sum + deadLetterCount, 0),
    letters,
  }
}

const noSuchItem = reject('It no longer exists.')

/** Retries a dead letter. `letter` is `PROJECT:ID`. */
export const deadLetterForms = defineAction(actions.deadLetter, {
  retry: actionForm(v.object({ letter: rawText }), async ({ services, viewer, fields }) => {
    const reference = parseDeadLetterReference(fields.letter)
    if (reference === undefined || !projectsWith(viewer, 'configure').includes(reference.projectId))
      return noSuchItem
    const result = await services.retryDeadLetter(reference)
    if (result.outcome === 'gone') return noSuchItem
    const text =
      result.outcome === 'failed'
        ? `Failed again and kept: ${result.reason}`
        : 'Retried: the item was processed.'
    return { kind: 'done', text }
  }),
})

/** Parses `PROJECT:ID`, the name of a dead letter in forms, URLs and the command line. */
export function parseDeadLetterReference(text: string): DeadLetterReference | undefined {
  const [, projectId, id] = /^([1-9][0-9]{0,15}):([0-9a-f-]{36})$/.exec(text) ?? []
  return id === undefined ? undefined : { projectId: Number(projectId), id }
}
