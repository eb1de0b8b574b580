import type { SessionItem, SessionReport } from '#server/store/sessions/record.ts'

/** An item with one session, or with one bucket of sessions. */
export function toSessionItem(report: SessionReport): SessionItem {
  return { projectId: report.projectId, receivedAt: report.startedAt, quantity: 1, reports: [report] }
}
