import type { AlertNotice } from '#alerts/notice.ts'
import type { AlertTransition } from '#alerts/transition.ts'

/** A notification of a user. Times in Unix milliseconds. */
export interface InboxItem {
  /** Names it in forms: project, issue and transition. */
  key: string
  transition: AlertTransition
  at: number
  isRead: boolean
  /** As it is now: of a merged issue the one it is part of. Absent with a notice. */
  issue?: { id: string; title: string; subtitle: string; shortId: string; level: string }
  /** Of a transition of the project. */
  notice?: AlertNotice
  project: { slug: string; name: string }
}

/** The result of a dry run over the last days. */
export interface AlertDryRun {
  dayCount: number
  sentCount: number
  /** Matched, and held by the throttle, quiet hours or a mute. */
  heldCount: number
  /** Matched, without a receiver. */
  unreceivedCount: number
  /** Transitions looked at. */
  transitionCount: number
  /** There were more: only the newest are looked at. */
  isCut: boolean
  /** Those with the most messages. Of a project without an id: what happened to it. */
  topIssues: { id?: string; title: string; count: number }[]
}

/** The decisions of rules about a transition. Times in Unix milliseconds. */
export interface LedgerEntry {
  /** Names it: the first rule and the transition. */
  key: string
  /** Of the transition. */
  at: number
  decidedAt: number
  transition: AlertTransition
  /** Of `AlertResult`; `grouped`, `storm` or `digest` where its messages are collected with others. */
  result: string
  /** Those that decided the same and notify the same receivers. */
  rules: { id: string; name: string }[]
  project: { slug: string; name: string }
  /** Of a transition of the project. */
  notice?: AlertNotice
  /** Absent: it is deleted, or it was a transition of the project. */
  issue?: { id: string; title: string; subtitle: string; shortId: string }
  /** People who have it in their inbox by these rules. */
  inboxCount: number
  deliveries: LedgerDelivery[]
}

/** A message to a receiver, with the attempts to send it. */
export interface LedgerDelivery {
  id: string
  /** The name of a destination, or of a person who gets mail. */
  receiver: string
  isMail: boolean
  /** `issues`, or `digest` for what was held in a storm or by choice. */
  kind: string
  status: string
  dueAt: number
  finishedAt?: number
  /** The newest, newest first. */
  attempts: LedgerAttempt[]
  /** With those that are not listed. */
  attemptCount: number
}

/** An attempt to send. `at` in Unix milliseconds; `status` of HTTP or SMTP; absent: no answer. */
export interface LedgerAttempt {
  at: number
  status?: number
  answer: string
  durationMs: number
}

/** A message about an issue that a receiver has. */
export interface SentMessage {
  id: string
  /** The name of a destination or of a user. */
  receiver: string
  isMail: boolean
  /** Unix milliseconds. */
  at: number
}
