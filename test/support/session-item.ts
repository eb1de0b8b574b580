import type { SessionItem, SessionReport } from '#server/store/sessions/record.ts'

/** An item that tells of one session, or of one bucket of them. */
export function toSessionItem(report: SessionReport): SessionItem {
  return { projectId: report.projectId, receivedAt: report.startedAt, quantity: 1, reports: [report] }
}
