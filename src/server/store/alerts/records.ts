import type { AlertNotice } from '#alerts/notice.ts'
import type { AlertTransition } from '#alerts/transition.ts'

/** A notification of a user. Times in Unix milliseconds. */
export interface InboxItem {
  /** Identifies the item in forms: project, issue and transition. */
  key: string
  transition: AlertTransition
  at: number
  isRead: boolean
  /** The issue in its current state; for a merged one, what it was merged into. Absent with a notice. */
  issue?: { id: string; title: string; subtitle: string; shortId: string; level: string }
  /** The notice of a project's transition. */
  notice?: AlertNotice
  project: { slug: string; name: string }
}

/** A rule that this version cannot read. */
export interface UnreadableRule {
  id: string
  /** Empty if it cannot be read either. */
  name: string
}

/** The result of a dry run over the last days. */
export interface AlertDryRun {
  dayCount: number
  sentCount: number
  /** Matched, but stopped by the throttle, quiet hours or a mute. */
  heldCount: number
  /** Matched, but without a receiver. */
  unreceivedCount: number
  /** The number of evaluated transitions. */
  transitionCount: number
  /** True if there were more: only the newest were evaluated. */
  isCut: boolean
  /** The issues with the most messages; without an id for the project's own transitions. */
  topIssues: { id?: string; title: string; count: number }[]
}

/** The decisions of rules about a transition. Times in Unix milliseconds. */
export interface LedgerEntry {
  /** The first rule and the transition. */
  key: string
  /** The time of the transition. */
  at: number
  decidedAt: number
  transition: AlertTransition
  /** An `AlertResult`; `grouped`, `storm` or `digest` if its messages are collected with others. */
  result: string
  /** The rules with the same decision and receivers. */
  rules: { id: string; name: string }[]
  project: { slug: string; name: string }
  /** The notice of a project's transition. */
  notice?: AlertNotice
  /** Absent if it was deleted, or for a transition of the project. */
  issue?: { id: string; title: string; subtitle: string; shortId: string }
  /** Number of users whose inbox received it by these rules. */
  inboxCount: number
  deliveries: LedgerDelivery[]
}

/** A message to a receiver, with its attempts. */
export interface LedgerDelivery {
  id: string
  /** The name of a destination, or of a user who receives mail. */
  receiver: string
  isMail: boolean
  /** `issues`, or `digest` if it was collected in a storm or by the user's choice. */
  kind: string
  status: string
  dueAt: number
  finishedAt?: number
  /** The newest attempts, newest first. */
  attempts: LedgerAttempt[]
  /** The number of all attempts. */
  attemptCount: number
}

/** An attempt to send. `at` in Unix milliseconds; `status` of HTTP or SMTP, absent without an answer. */
export interface LedgerAttempt {
  at: number
  status?: number
  answer: string
  durationMs: number
}

/** A message about an issue that was sent to a receiver. */
export interface SentMessage {
  id: string
  /** The name of a destination or of a user. */
  receiver: string
  isMail: boolean
  /** Unix milliseconds. */
  at: number
}
