import * as v from 'valibot'
import { countedNoun } from '#numbers/number-text.ts'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import { actionForm, defineAction, notThere } from '#server/console/forms/action-form.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import { rawText } from '#server/forms/fields.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import type { DeadLetterReference } from '#server/store/ingest/records.ts'
import {
  deleteDeadLetters,
  listDeadLetters,
  listProjectsWithDeadLetters,
} from '#server/store/outcomes/dead-letters.ts'
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

/**
 * Retries or deletes dead letters. `change` is `VERB:LETTER LETTER…`: the letters that the user saw, so that
 * one that arrived since is not deleted.
 */
export const deadLetterForms = defineAction(actions.deadLetter, {
  change: actionForm(v.object({ change: rawText }), async ({ services, viewer, fields }) => {
    const [, verb, names = ''] = /^(retry|delete):(.*)$/.exec(fields.change) ?? []
    const configurable = projectsWith(viewer, 'configure')
    const letters = names
      .split(' ', limits.deadLettersShown)
      .flatMap((name) => parseDeadLetterReference(name) ?? [])
      .filter(({ projectId }) => configurable.includes(projectId))
    const text = await (verb === 'delete' ? deleteLetters : retryLetters)(services, letters)
    return text === undefined ? notThere : { kind: 'done', text }
  }),
})

/** The text of the result; undefined if none of them exists. */
type ActOnLetters = (
  services: Pick<Services, 'store' | 'retryDeadLetter'>,
  letters: readonly DeadLetterReference[],
) => Promise<string | undefined>

const deleteLetters: ActOnLetters = async ({ store }, letters) => {
  const count = await deleteDeadLetters(store, letters)
  return count === 0 ? undefined : `${countedNoun(count, 'item')} deleted.`
}

/** In the order of the letters. */
const retryLetters: ActOnLetters = async (services, letters) => {
  let doneCount = 0
  const reasons: string[] = []
  for (const letter of letters) {
    const result = await services.retryDeadLetter(letter)
    if (result.outcome === 'done') doneCount += 1
    if (result.outcome === 'failed') reasons.push(result.reason)
  }
  const [reason] = reasons
  if (reason === undefined)
    return doneCount === 0 ? undefined : `${countedNoun(doneCount, 'item')} processed.`
  const failed = `${countedNoun(reasons.length, 'item')} failed again: ${reason}`
  return doneCount === 0 ? failed : `${countedNoun(doneCount, 'item')} processed, ${failed}`
}

/** Parses `PROJECT:ID`, the name of a dead letter in forms, URLs and the command line. */
export function parseDeadLetterReference(text: string): DeadLetterReference | undefined {
  const [, projectId, id] = /^([1-9][0-9]{0,15}):([0-9a-f-]{36})$/.exec(text) ?? []
  return id === undefined ? undefined : { projectId: Number(projectId), id }
}
