import { parseEventId } from '#protocol/event-id.ts'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { readEventParts } from '#server/console/events/events.ts'
import { toSmallTrace } from '#server/console/traces/small-trace.ts'
import type { Services } from '#server/services.ts'
import { findIssueDetail, findIssueProgress } from '#server/store/issues/detail.ts'
import { parseIssueId } from '#server/store/issues/id.ts'
import { findIssue } from '#server/store/issues/issues.ts'
import type { Db } from '#server/store/schema/database.ts'
import { findMergedInto } from '#server/store/triage/merged-issue.ts'
import { findMovedIssue, type MovedIssue } from './moved-issue.ts'
import { findEventOwners } from './owners.ts'
import { toSuspectCommits } from './suspects.ts'
import { toTrackerView } from './tracker.ts'
import { toTriageView } from './triage.ts'
import type { IssueProgressView, IssueRemoval, IssueView } from './views.ts'

/** A request for an issue page. */
export interface IssuePageQuery {
  /** As in the URL. */
  issueId: string
  /** The event to show. Default, and if the issue has no such event: the latest one. */
  eventId?: string
}

/**
 * Returns an issue with an event and its tags, or the id to redirect to; undefined if there is none. Four
 * statements, in at most three rounds.
 */
export async function findIssueView(
  services: Services,
  viewer: Viewer,
  { issueId, eventId }: IssuePageQuery,
): Promise<IssueView | MovedIssue | undefined> {
  const now = services.clock()
  const id = parseIssueId(issueId)
  const projectIds = reachableProjects(viewer)
  const found =
    id === undefined
      ? undefined
      : await findIssueDetail(services.store.db, {
          issueId: id,
          projectIds,
          now,
          eventId: parseEventId(eventId),
        })
  if (found === undefined) return findMovedIssue(services.store.db, { issueId, projectIds })
  const { event, triage, commits, ownerCandidates, links, traceSegments, lastIssueNumbers, ...overview } =
    found
  const { project } = overview.issue
  const { sourceLinks } = event.projectSettings
  const parts = await readEventParts(services, event)
  const canTriage = projectsWith(viewer, 'triage').includes(project.id)
  return {
    now,
    ...overview,
    canTriage,
    triage: toTriageView(triage, viewer, { project, lastIssueNumbers, sourceLinks }),
    ...parts,
    trace: toSmallTrace(traceSegments, parts.event),
    owners: findEventOwners(parts.event, event.projectSettings, ownerCandidates),
    ...toTrackerView(
      { issue: overview.issue, event: parts.event, origin: services.publicOrigin },
      event.projectSettings,
      links,
    ),
    suspects: toSuspectCommits(parts.event, commits, sourceLinks),
  }
}

/**
 * The data of an open page about an issue that changes, or the issue that it was merged into; undefined if
 * there is no such issue.
 */
export async function findIssueProgressView(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  shown: IssuePageQuery,
): Promise<IssueProgressView | IssueRemoval | undefined> {
  const [issueId, eventId] = [parseIssueId(shown.issueId), parseEventId(shown.eventId)]
  if (issueId === undefined) return undefined
  const now = clock()
  const projectIds = reachableProjects(viewer)
  const found = await findIssueProgress(store.db, { issueId, eventId, projectIds, now })
  return found === undefined ? findIssueRemoval(store.db, { issueId, projectIds }) : { now, ...found }
}

async function findIssueRemoval(
  db: Db,
  { issueId, projectIds }: { issueId: number; projectIds: readonly number[] },
): Promise<IssueRemoval | undefined> {
  const intoId = await findMergedInto(db, { issueId, projectIds })
  const into = intoId && (await findIssue(db, { issueId: intoId, projectIds }))
  if (!into) return undefined
  const { id, title, shortId } = into
  return { kind: 'merged', into: { issueId: id, title, shortId } }
}
