import { redirect } from '@tanstack/react-router'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { findMergedInto } from '#server/store/triage/merged-issue.ts'
import type { IssueChoices, IssueTriage } from '#server/store/triage/records.ts'
import { renderComment } from './comment-markdown.ts'
import type { IssueChoicesView, IssueTriageView } from './triage-views.ts'

/** What people do with an issue, for somebody who looks at it. */
export function toTriageView(triage: IssueTriage, viewer: Viewer, projectId: number): IssueTriageView {
  return {
    ...triage,
    activity: triage.activity.map((entry) => {
      if (entry.kind !== 'comment') return entry
      const comment = { nodes: renderComment(entry.text), isOwn: entry.by?.userId === viewer.userId }
      return { ...entry, comment }
    }),
    ...toChoicesView(triage, viewer, projectId),
  }
}

/** What an issue can be given to and resolved in, for somebody who looks at it. */
export function toChoicesView(
  { people, releases }: IssueChoices,
  viewer: Viewer,
  projectId: number,
): IssueChoicesView {
  return {
    people,
    releases,
    viewerId: viewer.userId,
    mayDelete: projectsWith(viewer, 'configure').includes(projectId),
  }
}

/** Sends who follows an old link on, when its issue was merged into another one. */
export async function followMerge(
  { store }: Pick<Services, 'store'>,
  query: { issueId: number; projectIds: readonly number[] },
): Promise<void> {
  const intoId = await findMergedInto(store.db, query)
  // A redirect is no error: Start takes it for where to go.
  if (intoId !== undefined) throw redirect({ href: `/issues/${intoId}` })
}
