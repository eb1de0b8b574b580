import { limits } from '#server/limits.ts'
import type { IssueKey } from '#server/store/issues/records.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { startAction, startSystemAction, writeActivity, type Actor } from './activity.ts'
import { changeState, selectIssues } from './changed-issues.ts'
import { findMergedInto, selectIdsWithParts } from './merged-issue.ts'
import type { IssueLink } from './records.ts'

const linksOfIssue = prepareQuery((db, key: IssueKey) =>
  db
    .selectFrom('issue_links')
    .select(['url', 'name', 'is_closed', 'created_at'])
    .where('project_id', '=', key.projectId)
    .where('issue_id', 'in', selectIdsWithParts(db, key))
    .orderBy('created_at', 'desc')
    .orderBy('url')
    .limit(limits.issueLinks),
)

/** The linked issues of trackers of an issue, and of the issues that were merged into it. One statement. */
export async function listIssueLinks(db: Db, { projectId, issueId }: IssueKey): Promise<IssueLink[]> {
  const rows = await linksOfIssue(db, { projectId, issueId })
  return rows.map((row) => ({
    url: row.url,
    name: row.name,
    isClosed: row.is_closed === 1,
    createdAt: row.created_at,
  }))
}

/** An issue, and the projects in which the user may change issues. */
export interface LinkedIssue {
  issueId: number
  projectIds: readonly number[]
}

export type LinkResult = 'done' | 'too-many' | 'not-there'

/** Links an issue to a tracker's issue, and records that in its activity. A repetition changes nothing. */
export function recordIssueLink(
  store: Store,
  { issueId, projectIds }: LinkedIssue,
  { url, name, ...actor }: Actor & Pick<IssueLink, 'url' | 'name'>,
): Promise<LinkResult> {
  return store.writer.transaction().execute(async (tx) => {
    const [issue] = await selectIssues(tx, { issueIds: [issueId], projectIds })
    if (issue === undefined) return 'not-there'
    const { projectId } = issue
    const known = await listIssueLinks(tx, { projectId, issueId })
    if (known.some((link) => link.url === url)) return 'done'
    if (known.length >= limits.issueLinks) return 'too-many'
    await tx
      .insertInto('issue_links')
      .values({ project_id: projectId, issue_id: issueId, url, name, is_closed: 0, created_at: actor.at })
      .execute()
    await writeActivity(tx, startAction(actor), { projectId, issueId, kind: 'linked', detail: { url, name } })
    return 'done'
  })
}

/** Removes a link from an issue. */
export function recordIssueUnlink(
  store: Store,
  { issueId, projectIds }: LinkedIssue,
  { url, ...actor }: Actor & Pick<IssueLink, 'url'>,
): Promise<LinkResult> {
  return store.writer.transaction().execute(async (tx) => {
    const [issue] = await selectIssues(tx, { issueIds: [issueId], projectIds })
    if (issue === undefined) return 'not-there'
    const { projectId } = issue
    const link = (await listIssueLinks(tx, { projectId, issueId })).find((each) => each.url === url)
    if (link === undefined) return 'not-there'
    // The link may belong to an issue that was merged into this one. Other issues keep theirs.
    await tx
      .deleteFrom('issue_links')
      .where('project_id', '=', projectId)
      .where('issue_id', 'in', selectIdsWithParts(tx, { projectId, issueId }))
      .where('url', '=', url)
      .execute()
    const detail = { url, name: link.name }
    await writeActivity(tx, startAction(actor), { projectId, issueId, kind: 'unlinked', detail })
    return 'done'
  })
}

/** A report of a tracker about one of its issues. */
export interface TrackerReport {
  projectId: number
  /** Variants of the issue's URL. */
  urls: readonly string[]
  isClosed: boolean
  /** When the tracker sent it, by its clock (Unix ms). Absent if its reports contain no time. */
  sentAt?: number
  /** True if closing the tracker's issue also resolves the linked issue. */
  resolves: boolean
  /** Unix milliseconds. */
  at: number
}

/**
 * Applies a report of a tracker. Returns the number of changed links: 0 for a repeated report, or if a report
 * that was sent later has already been applied.
 */
export function recordTrackerReport(
  store: Store,
  { projectId, urls, isClosed, sentAt, resolves, at }: TrackerReport,
): Promise<number> {
  return store.writer.transaction().execute(async (tx) => {
    const update = tx
      .updateTable('issue_links')
      .set({ is_closed: isClosed ? 1 : 0, ...(sentAt !== undefined && { reported_at: sentAt }) })
      .where('project_id', '=', projectId)
      .where('url', 'in', urls)
      .$if(sentAt !== undefined, (all) =>
        all.where((of) => of.or([of('reported_at', 'is', null), of('reported_at', '<', sentAt ?? 0)])),
      )
    const changed = await update
      .where('is_closed', '=', isClosed ? 0 : 1)
      .returning(['issue_id', 'name', 'url'])
      .execute()
    // Also updates the time of unchanged links, so that earlier reports that arrive later do not change them.
    if (sentAt !== undefined) await update.where('is_closed', '=', isClosed ? 1 : 0).execute()
    for (const { issue_id: linkedId, name, url } of changed) {
      const projectIds = [projectId]
      const issueId = (await findMergedInto(tx, { issueId: linkedId, projectIds })) ?? linkedId
      const [issue] = await selectIssues(tx, { issueIds: [issueId], projectIds })
      if (issue === undefined) continue
      const action = startSystemAction(at)
      const kind = isClosed ? 'link_closed' : 'link_reopened'
      await writeActivity(tx, action, { projectId, issueId, kind, detail: { url, name } })
      if (isClosed && resolves && issue.state.status === 'unresolved')
        await changeState(tx, action, { issue, event: { kind: 'resolve', at, condition: null } })
    }
    return changed.length
  })
}
