import { notFound } from '@tanstack/react-router'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import type { DeadLetterReference } from '#server/store/events/record.ts'
import { listDeadLetters, listProjectsWithDeadLetters } from '#server/store/outcomes/dead-letters.ts'
import type { DeadLetterListView } from './views.ts'

/**
 * The newest dead letters of the projects that the viewer configures: they are not scrubbed. Two statements.
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
    count: projects.reduce((sum, { deadLetterCount }) => sum + deadLetterCount, 0),
    letters,
  }
}

/** Why a dead letter that was run again is still there; nothing where it is not. */
export interface DeadLetterRetry {
  failure?: string
}

/** Runs a dead letter again. Throws the router's not-found where there is none, or none any more. */
export async function retryLetter(
  services: Pick<Services, 'retryDeadLetter'>,
  viewer: Viewer,
  letter: string,
): Promise<DeadLetterRetry> {
  const reference = parseDeadLetterReference(letter)
  const isReached = reference !== undefined && projectsWith(viewer, 'configure').includes(reference.projectId)
  const result = !isReached ? undefined : await services.retryDeadLetter(reference)
  if (result === undefined || result.outcome === 'gone') throw notFound()
  return result.outcome === 'failed' ? { failure: result.reason } : {}
}

/** Reads `PROJECT:ID`, as forms, addresses and the command line name a dead letter. */
export function parseDeadLetterReference(text: string): DeadLetterReference | undefined {
  const [, projectId, id] = /^([1-9][0-9]{0,15}):([0-9a-f-]{36})$/.exec(text) ?? []
  return id === undefined ? undefined : { projectId: Number(projectId), id }
}
