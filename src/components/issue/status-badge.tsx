import { Badge } from '#components/ui/badge.tsx'
import type { BadgeTone } from '#components/ui/badge.tsx'
import { useClock } from '#components/ui/now-provider.tsx'
import type { IssueStatus, IssueSummary } from '#server/store/issue-views.ts'

const tones: Record<IssueStatus, BadgeTone> = {
  unresolved: 'warning',
  resolved: 'success',
  archived: 'neutral',
}

/** An issue's status as a word; one that was resolved and has happened again is `regressed`. */
export function StatusBadge({ issue }: { issue: Pick<IssueSummary, 'status' | 'isRegressed'> }) {
  if (issue.isRegressed === true) return <Badge tone="danger">regressed</Badge>
  return <Badge tone={tones[issue.status]}>{issue.status}</Badge>
}

/** How long an issue is new: as `is:new` finds it. */
const newIssueMs = 86_400_000

/** Says that an issue has not been there for long. */
export function NewBadge({ issue }: { issue: Pick<IssueSummary, 'firstSeenAt'> }) {
  const clock = useClock()
  const isNew = clock !== undefined && clock.now - issue.firstSeenAt < newIssueMs
  return isNew ? <Badge tone="accent">new</Badge> : null
}
