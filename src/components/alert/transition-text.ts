import type { InboxItem } from '#server/store/alerts/records.ts'

/** What happened, in two or three words: "New issue". */
export const transitionTexts: Record<InboxItem['transition'], string> = {
  new: 'New issue',
  regressed: 'Regressed',
  escalated: 'Escalated',
  unarchived: 'Back from the archive',
  assigned: 'Assigned to you',
  comment: 'New comment',
  threshold: 'Threshold crossed',
  normal: 'Back to normal',
}
