import type { AlertTransition } from '#alerts/transition.ts'

/** The kind of a message: single transitions, or the summary of a storm. */
export type AlertMessageKind = 'transitions' | 'summary' | 'storm' | 'digest' | 'test'

/** The issue of an item. Its texts are untrusted: any client with a DSN can send them. Times in Unix ms. */
export interface AlertIssue {
  shortId: string
  title: string
  /** The title of an error in two parts: its type and its value. */
  type?: { name: string; value?: string }
  culprit: string
  level: string
  url: string
  firstSeenAt: number
  lastSeenAt: number
  eventCount: number
  userCount: number
  environment?: string
  release?: string
  assignee?: string
}

/** What a transition of a project is about. The title of a release comes from an event. */
export interface ProjectChange {
  /** Equal at the beginning and at the end of an ingest problem. */
  key: string
  title: string
  level: string
  url: string
  environment?: string
  release?: string
}

interface ItemBase {
  transition: AlertTransition
  /** Unix milliseconds. */
  at: number
  /** Milliseconds since then, if the message is sent late. */
  lateByMs?: number
}

/** One transition of one issue. */
export type IssueItem = ItemBase & { issue: AlertIssue; change?: undefined }

/** One transition of a project. */
export type ProjectItem = ItemBase & { change: ProjectChange; issue?: undefined }

/** An entry of a message. */
export type AlertItem = IssueItem | ProjectItem

/** The properties that both kinds of entries have. */
export function toItemBasics({ issue, change }: AlertItem): Pick<ProjectChange, 'title' | 'level' | 'url'> {
  return issue ?? change
}

/** One message to one destination, independent of the channel. */
export interface AlertMessage {
  kind: AlertMessageKind
  organization: string
  project: { slug: string; name: string }
  /** The rules that matched. */
  rules: { name: string; url: string }[]
  items: AlertItem[]
  /** Number of transitions that `items` leaves out. */
  moreCount: number
  /**
   * `held` lists the decisions whose messages a digest collects. `unsubscribe` ends mails to this receiver
   * with one click.
   */
  urls: { mute: string; rule: string; list: string; held?: string; unsubscribe?: string }
  /** Equal for all messages about one issue: the thread in channels that have threads. */
  threadKey?: string
}

/** The receiver of messages. `settings` by kind; `secret` is decrypted. */
export interface Destination {
  id: string
  kind: string
  settings: Readonly<Record<string, unknown>>
  secret?: string
}

/** The result of an attempt. */
export interface AlertAnswer {
  /** `disabled`: the receiver wants no more messages, such as after 410 from a webhook. */
  verdict: 'delivered' | 'retry' | 'rejected' | 'disabled'
  /** HTTP status or SMTP code. */
  status?: number
  retryAfterMs?: number
  /** The beginning of the answer, for admins. */
  answerExcerpt?: string
  /** The id of the message at the receiver, for edits. */
  messageRef?: string
}

/** Sends a message. Expected failures are answers; `Tools` are the dependencies of the channel. */
export type DeliverAlert<Tools> = (
  message: AlertMessage,
  destination: Destination,
  tools: Tools,
) => Promise<AlertAnswer>

const phrases: Record<AlertTransition, readonly [one: string, many: string]> = {
  new: ['New issue', 'new issues'],
  regressed: ['Regressed issue', 'regressed issues'],
  escalated: ['Escalated issue', 'escalated issues'],
  unarchived: ['Unarchived issue', 'unarchived issues'],
  assigned: ['Assigned issue', 'assigned issues'],
  comment: ['Comment', 'comments'],
  mention: ['Mention', 'mentions'],
  threshold: ['Threshold crossed', 'thresholds crossed'],
  normal: ['Back to normal', 'issues back to normal'],
  recovered: ['Monitor recovered', 'monitors recovered'],
  release: ['New release', 'new releases'],
  first_event: ['First event', 'first events'],
  crash_free: ['Crash-free rate too low', 'crash-free rates too low'],
  crash_free_normal: ['Crash-free rate back to normal', 'crash-free rates back to normal'],
  trouble: ['Ingest problem', 'ingest problems'],
  trouble_over: ['Ingest problem resolved', 'ingest problems resolved'],
}

/** A transition as text: "New issue". */
export function toTransitionPhrase(transition: AlertTransition): string {
  return phrases[transition][0]
}

/** The first line of a message in two parts; the title comes from an event. */
export interface AlertHeadline {
  /**
   * "New issue in Shop", "7 new issues in Shop"; at the beginning of a storm with an announcement of the
   * digest.
   */
  lead: string
  /** The title of a single issue. */
  title?: string
}

/** The first line of a message, as plain text that its channel has to escape. */
export function toHeadline({ kind, project, items, moreCount }: AlertMessage): AlertHeadline {
  const count = items.length + moreCount
  const [first] = items
  const { lead, title }: AlertHeadline =
    first === undefined ? { lead: `${count} alerts in ${project.name}` } : toLine(first)
  if (kind === 'test') return { lead: `Test: ${lead}`, title }
  // The last message before a digest: it announces that no more messages follow until then.
  return {
    lead: kind === 'storm' ? `${lead} (many alerts: the next ones are held)` : lead,
    title,
  }

  function toLine(item: AlertItem): AlertHeadline {
    const { transition } = item
    const [one, many] = phrases[transition]
    if (count === 1) return { lead: `${one} in ${project.name}`, title: toItemBasics(item).title }
    const isAlike = moreCount === 0 && items.every((each) => each.transition === transition)
    return { lead: `${count} ${isAlike ? many : 'alerts'} in ${project.name}` }
  }
}

/** The same as one text: "New issue in Shop: TypeError", "7 new issues in Shop". */
export function formatHeadline(message: AlertMessage): string {
  const { lead, title } = toHeadline(message)
  return title === undefined ? lead : `${lead}: ${title}`
}
