import { notFound } from '@tanstack/react-router'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { listDeadLetters, listProjectsWithDeadLetters } from '#server/store/dead-letters.ts'
import type { DeadLetterReference } from '#server/store/event-record.ts'
import type { DeadLetterListView } from '#server/store/views.ts'

/** The newest dead letters of all projects. Two statements. */
export async function getDeadLetterView({
  store: { db },
  clock,
}: Pick<Services, 'store' | 'clock'>): Promise<DeadLetterListView> {
  const projects = await listProjectsWithDeadLetters(db)
  const letters = await listDeadLetters(db, { limit: limits.deadLettersShown })
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
  letter: string,
): Promise<DeadLetterRetry> {
  const reference = parseDeadLetterReference(letter)
  const result = reference === undefined ? undefined : await services.retryDeadLetter(reference)
  if (result === undefined || result.outcome === 'gone') throw notFound()
  return result.outcome === 'failed' ? { failure: result.reason } : {}
}

/** Reads `PROJECT:ID`, as forms, addresses and the command line name a dead letter. */
export function parseDeadLetterReference(text: string): DeadLetterReference | undefined {
  const [, projectId, id] = /^([1-9][0-9]{0,15}):([0-9a-f-]{36})$/.exec(text) ?? []
  return id === undefined ? undefined : { projectId: Number(projectId), id }
}
