import type { InboxItem } from '#server/store/alerts/records.ts'

/** The transition in two or three words: "New issue". */
export const transitionTexts: Record<InboxItem['transition'], string> = {
  new: 'New issue',
  regressed: 'Regressed',
  escalated: 'Escalated',
  unarchived: 'Unarchived',
  assigned: 'Assigned to you',
  comment: 'New comment',
  mention: 'Mentioned you',
  threshold: 'Threshold crossed',
  normal: 'Back to normal',
  recovered: 'Monitor recovered',
  release: 'New release',
  first_event: 'First event',
  crash_free: 'Crash-free rate too low',
  crash_free_normal: 'Crash-free rate back to normal',
  trouble: 'Ingest problem',
  trouble_over: 'Ingest problem resolved',
}
