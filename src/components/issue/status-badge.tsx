import { Badge, type BadgeTone } from '#components/ui/badge.tsx'
import type { IssueStatus, IssueSummary } from '#server/store/issues/records.ts'

const tones: Record<IssueStatus, BadgeTone> = {
  unresolved: 'warning',
  resolved: 'success',
  archived: 'neutral',
}

/** An issue's status as a word; a resolved issue that happened again is `regressed`. */
export function StatusBadge({ issue }: { issue: Pick<IssueSummary, 'status' | 'isRegressed'> }) {
  if (issue.isRegressed === true) return <Badge tone="danger">regressed</Badge>
  return <Badge tone={tones[issue.status]}>{issue.status}</Badge>
}
