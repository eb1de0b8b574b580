import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import type { IssueChoices, IssueTriage } from '#server/store/triage/records.ts'
import { renderComment } from './comment-markdown.ts'
import type { IssueChoicesView, IssueTriageView } from './triage-views.ts'

/** The triage state of an issue, for the viewer of the page. */
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

/**
 * The assignees and releases that an issue can be assigned to and resolved in, for the viewer of the page.
 */
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
