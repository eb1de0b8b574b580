import type { Event } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import type { EventWithIssue } from '#server/store/events/events.ts'
import { listSuspectCandidates, type SuspectCandidate } from '#server/store/releases/commits.ts'
import { toCommitUrl } from '#source-links/commit-link.ts'
import type { SourceLinkSettings } from '#source-links/source-link.ts'
import { findSuspects } from '#source-links/suspect-commits.ts'
import type { SuspectCommit } from './views.ts'

/** The commits of a release that changed files in the stack trace of a displayed event. */
export function toSuspectCommits(
  event: Event,
  commits: readonly SuspectCandidate[],
  sourceLinks: SourceLinkSettings,
): SuspectCommit[] {
  const bounds = { roots: sourceLinks.roots, limit: limits.suspectCommits }
  return findSuspects(event, commits, bounds).map(({ commit, path }) => ({
    id: commit.id,
    subject: (commit.message?.split('\n', 1)[0] ?? '').slice(0, limits.suspectSubjectCharacters),
    authorName: commit.authorName ?? commit.authorEmail,
    author: commit.author,
    committedAt: commit.committedAt,
    path,
    url: toCommitUrl(sourceLinks, commit),
  }))
}

/** The commits that may have caused the issue of an event. One statement. */
export async function readSuspectCommits(
  { store }: Pick<Services, 'store'>,
  { issue, event, shown }: EventWithIssue & { shown: Event },
): Promise<SuspectCommit[]> {
  const firstRelease = { projectId: issue.project.id, version: issue.firstRelease }
  const commits = await listSuspectCandidates(store.db, firstRelease)
  return toSuspectCommits(shown, commits, event.projectSettings.sourceLinks)
}
