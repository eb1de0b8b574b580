import { Badge } from '#components/ui/badge.tsx'
import type { BadgeTone } from '#components/ui/badge.tsx'
import type { IssueStatus } from '#server/store/views.ts'

const tones: Record<IssueStatus, BadgeTone> = {
  unresolved: 'warning',
  resolved: 'success',
  archived: 'neutral',
}

/** An issue's status as a word. */
export function StatusBadge({ status }: { status: IssueStatus }) {
  return <Badge tone={tones[status]}>{status}</Badge>
}
