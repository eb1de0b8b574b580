import type { Event } from '#protocol/event.ts'
import { toPlainLine } from '#server/alerts/channels/plain-text.ts'
import { limits } from '#server/limits.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import type { ProjectSettings } from '#server/store/projects/settings.ts'
import type { IssueLink } from '#server/store/triage/records.ts'
import { findTracker, toNewIssueUrl, type IssueDraft } from '#source-links/issue-tracker.ts'
import type { IssueTrackerView } from './views.ts'

const names = { github: 'GitHub', gitlab: 'GitLab', jira: 'Jira', linear: 'Linear' }

/** The data of an event that a new issue in a tracker contains. */
interface DraftSource {
  issue: Pick<IssueSummary, 'id' | 'shortId' | 'title' | 'subtitle' | 'culprit' | 'firstRelease'>
  event: Event
  origin: string
}

/** The tracker in which an issue can be created, and the existing links. */
export function toTrackerView(
  source: DraftSource,
  { issueTracker, sourceLinks }: ProjectSettings,
  links: IssueLink[],
): IssueTrackerView {
  const target = findTracker(issueTracker, sourceLinks)
  if (target === undefined) return { links }
  const isByToken = issueTracker.sealedToken !== ''
  return {
    links,
    tracker: {
      name: names[target.kind],
      newUrl: isByToken ? undefined : toNewIssueUrl(target, toIssueDraft(source)),
    },
  }
}

/** The title and text of an issue in a tracker. */
export function toIssueDraft({ issue, event, origin }: DraftSource): IssueDraft {
  const title = issue.subtitle === '' ? issue.title : `${issue.title}: ${issue.subtitle}`
  const frames = event.exceptions.at(-1)?.stackTrace?.frames ?? []
  const shown = frames.some(({ inApp }) => inApp === true)
    ? frames.filter(({ inApp }) => inApp === true)
    : frames
  const lines = [
    title,
    ...(issue.culprit === '' ? [] : [`in ${issue.culprit}`]),
    ...(issue.firstRelease === undefined ? [] : [`since release ${issue.firstRelease}`]),
    ...shown
      .slice(-limits.trackerFrames)
      .toReversed()
      .map(
        ({ function: name = '?', filename, absPath, lineNumber }) =>
          `    at ${name} (${filename ?? absPath ?? '?'}${lineNumber === undefined ? '' : `:${lineNumber}`})`,
      ),
  ]
  return {
    title: toPlainLine(title, limits.channelTextCharacters),
    intro: `${issue.shortId} in Culvert:`,
    address: `${origin}/issues/${issue.id}`,
    // Line by line: one line of an event must not become several.
    quoted: lines
      .map((line) => `${/^ */.exec(line)?.[0] ?? ''}${toPlainLine(line, limits.channelTitleCharacters)}`)
      .join('\n')
      .slice(0, limits.trackerTextCharacters),
  }
}
