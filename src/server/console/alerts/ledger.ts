import { canConfigure, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { findReachableIssue } from '#server/console/issues/issue-events.ts'
import type { MovedIssue } from '#server/console/issues/moved-issue.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { explainRules } from '#server/store/alerts/history/explanation.ts'
import { listLedger } from '#server/store/alerts/ledger.ts'
import { listMemberNames } from '#server/store/alerts/names.ts'
import type { LedgerEntry } from '#server/store/alerts/records.ts'
import { dayMs } from '#time/time-steps.ts'
import type { IssueAlertsView, LedgerView } from './views.ts'

/**
 * The decisions of the last days in the viewer's projects, or those of a rule or in a message. Two rounds of
 * statements.
 */
export async function getLedgerView(
  { store: { db }, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  { rule: ruleId, message: deliveryId }: { rule?: string | undefined; message?: string | undefined },
): Promise<LedgerView> {
  const now = clock()
  // A message has a link for as long as its decisions are stored.
  const since = deliveryId === undefined ? now - limits.ledgerDays * dayMs : 0
  const entries = await listLedger(db, { projectIds: reachableProjects(viewer), since, ruleId, deliveryId })
  return {
    now,
    dayCount: limits.ledgerDays,
    isOfRule: ruleId !== undefined,
    isOfMessage: deliveryId !== undefined,
    entries: toViewEntries(entries, viewer),
  }
}

/**
 * The alerts of an issue, and the decision of each rule about it, or the issue to redirect to; undefined if
 * the viewer has access to neither. Three rounds of statements.
 */
export async function findIssueAlertsView(
  services: Services,
  viewer: Viewer,
  issueIdText: string,
): Promise<IssueAlertsView | MovedIssue | undefined> {
  const { db } = services.store
  const found = await findReachableIssue(services, viewer, issueIdText)
  if (found === undefined || 'movedTo' in found) return found
  const { issue, key, now } = found
  const { projectId } = key
  const membership = viewer.memberships.find(({ projectIds }) => projectIds.includes(projectId))
  const organizationId = membership?.organizationId ?? 0
  const [entries, explanations] = await Promise.all([
    listLedger(db, { projectIds: [projectId], since: 0, issueId: key.issueId }),
    explainRules(db, { ...key, organizationId, listNames: () => listMemberNames(db, organizationId), now }),
  ])
  return { now, issue, entries: toViewEntries(entries, viewer), explanations }
}

/** Answers are only shown to users who configure receivers: they may be in the operator's network. */
function toViewEntries(entries: readonly LedgerEntry[], viewer: Viewer): LedgerEntry[] {
  const showsAnswers = canConfigure(viewer)
  return entries.map((entry) => {
    const deliveries = entry.deliveries.map((delivery) => {
      const attempts = delivery.attempts.map((attempt) =>
        showsAnswers ? attempt : Object.assign({}, attempt, { answer: '' }),
      )
      return Object.assign({}, delivery, { attempts })
    })
    return Object.assign({}, entry, { deliveries })
  })
}
