import type { AlertCondition, AlertResult } from '#alerts/decide.ts'
import type { NotificationWay } from '#alerts/preference.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import type { ChannelField } from '#server/alerts/channels/channel.ts'
import type { ProjectPageView } from '#server/console/project-settings/views.ts'
import type { InboxItem, LedgerEntry } from '#server/store/alerts/records.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'

/** Data of the screens of alerts. Plain data, safe to send to the browser; times are Unix milliseconds. */

/** What `/inbox` shows. */
export interface InboxView {
  now: number
  /** Newest first. */
  items: InboxItem[]
  /** Counted up to `unreadCounted`. */
  unreadCount: number
  isCountCut: boolean
}

/** What `/settings/notifications` shows. */
export interface NotificationSettingsView {
  now: number
  /** One looks after an organization. */
  mayConfigure: boolean
  /** A mail server is set. */
  hasMail: boolean
  email: string
  ways: { transition: AlertTransition; way: NotificationWay }[]
  /** `way` is undefined for a project without its own choice. */
  projects: { id: number; name: string; way: NotificationWay | undefined }[]
  /** Choices for a kind in a project. */
  exceptions: { projectId: number; projectName: string; transition: AlertTransition; way: NotificationWay }[]
  push: PushBrowsersView
  mark: string
}

/** The browsers that show a user notifications. */
export interface PushBrowsersView {
  /**
   * `applicationServerKey` of subscriptions; absent where browsers cannot subscribe: the origin is not https.
   */
  publicKey?: string
  browsers: { id: string; name: string; createdAt: number }[]
}

/** What `/unsubscribe/$token` shows; without a receiver: the link has no subscription. */
export interface UnsubscriptionView {
  receiver?: {
    /** The address. */
    email: string
    /** Of a destination: no more alerts are sent to it at all. */
    organizationName?: string
    /** No more mails are sent. */
    isEnded: boolean
  }
}

/** What `/settings/destinations` shows. */
export interface DestinationsView {
  now: number
  /** A mail server is set. */
  hasMail: boolean
  /** Why it does not accept mail. */
  mailProblem?: string | undefined
  /** Projects that the viewer may configure. */
  organizations: { id: number; name: string; destinations: DestinationView[] }[]
  channels: { kind: string; name: string }[]
  /** The channel of a new destination. */
  channel: { kind: string; name: string; help: string; fields: DestinationFieldView[] }
}

/** A destination, without its secrets. */
export interface DestinationView {
  id: string
  name: string
  channelName: string
  fields: DestinationFieldView[]
  settings: Readonly<Record<string, string>>
  hasSecret: boolean
  disabledAt?: number | undefined
  disabledReason?: string | undefined
  failingSince?: number | undefined
  lastError?: string | undefined
  /** Rules that name it. */
  ruleNames: string[]
}

/** A setting of a channel. */
export type DestinationFieldView = ChannelField

/** What `/projects/$slug/alerts` shows, besides what every page of a project shows. */
export interface ProjectAlertsView extends ProjectPageView {
  page: 'alerts'
  rules: AlertRuleView[]
  /** Destinations of the organization. */
  destinations: { id: string; name: string }[]
  /** Of the project. */
  mute?: AlertMuteView
}

export interface AlertMuteView {
  until: number
  /** Why. */
  name: string
}

/** A rule as the settings show it. */
export interface AlertRuleView extends AlertRuleFields {
  id: string
  /** The rule in words. */
  sentence: string
  isEnabled: boolean
  /** Its threshold is of users, of whom there are more than are counted. */
  isFull: boolean
  mute?: AlertMuteView
  mark: string
}

/** The fields of a rule's form. */
export interface AlertRuleFields {
  name: string
  transitions: AlertTransition[]
  projectTransitions: AlertTransition[]
  /** One per line. */
  filters: string
  /** As `parseThreshold` reads it; empty: none. */
  threshold: string
  /** As `parseCrashFree` reads it; empty: none. */
  crashFree: string
  /** `members`, `admins`, `assignee`, `owners`, `participants`, or `destination:` and its id. */
  receivers: string[]
  /** E-mail addresses, separated by commas. */
  people: string
  throttleMs: number
  quiet: { from: string; to: string; timeZone: string; lettingFatal: boolean }
  /** It applies to every project of the organization. */
  isForAll: boolean
}

/** What `/alerts` shows: the decisions of the last days. */
export interface LedgerView {
  now: number
  dayCount: number
  /** Only those of one rule. */
  isOfRule: boolean
  /** Only those in one message. */
  isOfMessage: boolean
  /** Newest first. */
  entries: LedgerEntry[]
}

/** What `/issues/$issueId/alerts` shows. */
export interface IssueAlertsView {
  now: number
  issue: IssueSummary
  /** Newest first. */
  entries: LedgerEntry[]
  /** The decision of each rule about its last transition. */
  explanations: RuleExplanationView[]
}

/** A rule evaluated for a transition, condition by condition. */
export interface RuleExplanationView {
  ruleId: string
  name: string
  transition: AlertTransition
  at: number
  result: AlertResult
  conditions: AlertCondition[]
}
