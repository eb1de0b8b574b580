import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { IssueChoices, IssueTriage } from '#server/store/triage/records.ts'
import { toCommitUrl } from '#source-links/commit-link.ts'
import type { SourceLinkSettings } from '#source-links/source-link.ts'
import { renderComment } from './comment-markdown.ts'
import type { IssueChoicesView, IssueTriageView } from './triage-views.ts'

/** The triage state of an issue, for the viewer of the page. */
export function toTriageView(
  triage: IssueTriage,
  viewer: Viewer,
  {
    project,
    lastIssueNumbers,
    sourceLinks,
  }: {
    project: ProjectName
    lastIssueNumbers: ReadonlyMap<string, number>
    sourceLinks: SourceLinkSettings
  },
): IssueTriageView {
  return {
    ...triage,
    activity: triage.activity.map((entry) => {
      if (entry.kind === 'status' && entry.commit !== undefined)
        return { ...entry, commitUrl: toCommitUrl(sourceLinks, entry.commit) }
      if (entry.kind !== 'comment') return entry
      const comment = {
        nodes: renderComment(entry.text, { mentions: entry.mentions, lastIssueNumbers }),
        isOwn: entry.by?.userId === viewer.userId,
      }
      return { ...entry, comment }
    }),
    ...toChoicesView(triage, viewer, project.id),
  }
}

/** The possible assignees and releases of an issue, for the viewer of the page. */
export function toChoicesView(
  { people, releases }: IssueChoices,
  viewer: Viewer,
  projectId: number,
): IssueChoicesView {
  return {
    people,
    releases,
    viewerId: viewer.userId,
    canDelete: projectsWith(viewer, 'configure').includes(projectId),
  }
}
