import type { AlertCondition, AlertResult } from '#alerts/decide.ts'
import type { NotificationWay } from '#alerts/preference.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import type { ChannelField } from '#server/alerts/channels/channel.ts'
import type { ProjectPageView } from '#server/console/project-settings/views.ts'
import type { InboxItem, LedgerEntry, UnreadableRule } from '#server/store/alerts/records.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'

/** The data of the alert screens. Plain data, safe to send to the browser; times are Unix milliseconds. */

/** The data of `/inbox`. */
export interface InboxView {
  now: number
  /** Newest first. */
  items: InboxItem[]
  /** Up to `unreadCounted`. */
  unreadCount: number
  isCountCut: boolean
}

/** The data of `/settings/notifications`. */
export interface NotificationSettingsView {
  now: number
  /** True for an admin or owner of an organization. */
  canConfigure: boolean
  /** True if a mail server is configured. */
  hasMail: boolean
  email: string
  ways: { transition: AlertTransition; way: NotificationWay }[]
  /** `way` is undefined for a project without its own setting. */
  projects: { id: number; name: string; way: NotificationWay | undefined }[]
  /** Settings for one kind in one project. */
  exceptions: { projectId: number; projectName: string; transition: AlertTransition; way: NotificationWay }[]
  push: PushBrowsersView
  mark: string
}

/** The browsers that show notifications to a user. */
export interface PushBrowsersView {
  /** `applicationServerKey` of subscriptions; absent if the origin is not https. */
  publicKey?: string
  browsers: { id: string; name: string; createdAt: number }[]
}

/** The data of `/unsubscribe/$token`; without a receiver if the link has no subscription. */
export interface UnsubscriptionView {
  receiver?: {
    /** The email address. */
    email: string
    /** Set for a destination, which receives no more alerts at all. */
    organizationName?: string
    /** True once no more mails are sent. */
    isEnded: boolean
  }
}

/** The data of `/settings/destinations`. */
export interface DestinationsView {
  now: number
  /** True if a mail server is configured. */
  hasMail: boolean
  /** The reason why it does not accept mail. */
  mailProblem?: string | undefined
  /** With the projects that the viewer may configure. */
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
  /** True if this version cannot read the settings, or does not know the channel. */
  isUnreadable: boolean
  disabledAt?: number | undefined
  disabledReason?: string | undefined
  failingSince?: number | undefined
  lastError?: string | undefined
  /** The rules that send to it. */
  ruleNames: string[]
}

/** A setting of a channel. */
export type DestinationFieldView = ChannelField

/** The data of `/projects/$slug/alerts`, in addition to the data of every project page. */
export interface ProjectAlertsView extends ProjectPageView {
  page: 'alerts'
  rules: AlertRuleView[]
  /** Rules that this version cannot read. */
  unreadable: UnreadableRule[]
  /** The destinations of the organization. */
  destinations: { id: string; name: string }[]
  /** The mute of the project. */
  mute?: AlertMuteView
}

export interface AlertMuteView {
  until: number
  /** The reason for the mute. */
  name: string
}

/** A rule on the settings page. */
export interface AlertRuleView extends AlertRuleFields {
  id: string
  /** A description of the rule. */
  sentence: string
  isEnabled: boolean
  /** True if its threshold of users has reached the limit of counted users. */
  isFull: boolean
  mute?: AlertMuteView
  mark: string
}

/** The fields of a rule's form. */
export interface AlertRuleFields {
  name: string
  transitions: AlertTransition[]
  projectTransitions: AlertTransition[]
  /** One filter per line. */
  filters: string
  /** As `parseThreshold` reads it; empty for none. */
  threshold: string
  /** As `parseCrashFree` reads it; empty for none. */
  crashFree: string
  /** `members`, `admins`, `assignee`, `owners`, `participants`, or `destination:` with an id. */
  receivers: string[]
  /** Email addresses, separated by commas. */
  people: string
  throttleMs: number
  quiet: { from: string; to: string; timeZone: string; lettingFatal: boolean }
  /** True if it applies to every project of the organization. */
  isForAll: boolean
}

/** The data of `/alerts`: the decisions of the last days. */
export interface LedgerView {
  now: number
  dayCount: number
  /** True if only the decisions of one rule are listed. */
  isOfRule: boolean
  /** True if only the decisions in one message are listed. */
  isOfMessage: boolean
  /** Newest first. */
  entries: LedgerEntry[]
}

/** The data of `/issues/$issueId/alerts`. */
export interface IssueAlertsView {
  now: number
  issue: IssueSummary
  /** Newest first. */
  entries: LedgerEntry[]
  /** The decision of each rule about the issue's latest transition. */
  explanations: RuleExplanationView[]
}

/** The evaluation of a rule for a transition, condition by condition. */
export interface RuleExplanationView {
  ruleId: string
  name: string
  transition: AlertTransition
  at: number
  result: AlertResult
  conditions: AlertCondition[]
}
