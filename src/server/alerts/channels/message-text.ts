import {
  toHeadline,
  toItemBasics,
  toTransitionPhrase,
  type AlertItem,
  type AlertMessage,
} from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import { toPlainLine } from './plain-text.ts'

/** The texts of a message, which channels lay out and escape. All are plain, truncated texts of one line. */
export interface MessageText {
  /** "New issue in Shop"; a test begins with "Test: ". */
  lead: string
  /** The title of a single issue, which comes from an event. */
  title?: string
  items: ItemText[]
  /** "and 12 more". */
  more?: string
  /** "Rules: New issues, Fatal errors". */
  reason?: string
  /** Pages of the console: the issues, the rule, muting, unsubscribing. */
  links: TextLink[]
}

/** One issue of a message. */
export interface ItemText {
  /** "New issue". */
  phrase: string
  /** "Project" for a transition of the project. */
  shortId: string
  /** From an event. Never empty. */
  title: string
  /** Absent if it is not a valid URL. */
  url?: string
  facts: TextFact[]
  /** "sent 2 h late". */
  late?: string
}

/** A field of an issue; the value comes from events. */
export interface TextFact {
  label: string
  value: string
}

/** A link whose label is a constant of Culvert. */
export interface TextLink {
  label:
    | 'Held alerts'
    | 'Open issue'
    | 'Open issues'
    | 'Open'
    | 'Open rule'
    | 'Mute'
    | 'Unsubscribe'
    | 'Set password'
  url: string
}

/** The texts of a message, for at most `itemCount` issues. Pure. */
export function toMessageText(
  message: AlertMessage,
  itemCount: number = limits.channelIssuesShown,
): MessageText {
  const { lead, title } = toHeadline(message)
  const hiddenCount = Math.max(0, message.items.length - itemCount) + message.moreCount
  return {
    lead: toText(lead),
    title: title === undefined ? undefined : toTitle(title),
    items: message.items.slice(0, itemCount).map(toItemText),
    more: hiddenCount === 0 ? undefined : `and ${hiddenCount} more`,
    reason: toReason(message),
    links: toLinks(message),
  }
}

function toItemText(item: AlertItem): ItemText {
  const { transition, issue, at, lateByMs } = item
  const { title, url } = toItemBasics(item)
  return {
    phrase: toTransitionPhrase(transition),
    shortId: toText(issue?.shortId ?? 'Project'),
    title: toTitle(title),
    url: toWebUrl(url),
    facts: listFacts(item)
      .map(([label, value]) => ({ label, value: toText(value ?? '') }))
      .filter(({ value }) => value !== ''),
    late: lateByMs === undefined ? undefined : `from ${formatUtc(at)}, sent ${formatAge(lateByMs)} late`,
  }
}

/** The level of an ingest problem determines only colour and sound, so it is not listed as a fact. */
function listFacts({ issue, change, at }: AlertItem): [label: string, value: string | undefined][] {
  const { environment, release } = issue ?? change
  const origin: [label: string, value: string | undefined][] = [
    ['Environment', environment],
    ['Release', release],
  ]
  if (issue === undefined) return [...origin, ['At', formatUtc(at)]]
  const { culprit, assignee, userCount, eventCount } = issue
  const users = userCount > 0 ? `, ${userCount} ${userCount === 1 ? 'user' : 'users'}` : ''
  return [
    ['Level', issue.level],
    ...origin,
    ['Culprit', culprit],
    ['Events', `${eventCount}${users}`],
    ['First seen', formatUtc(issue.firstSeenAt)],
    ['Assigned to', assignee],
  ]
}

function toReason({ rules }: AlertMessage): string | undefined {
  const [first] = rules
  if (first === undefined) return undefined
  const names = rules.slice(0, limits.channelRulesNamed).map(({ name }) => toText(name))
  const moreCount = rules.length - names.length
  const list = names.join(', ') + (moreCount > 0 ? ` and ${moreCount} more` : '')
  return `${rules.length === 1 ? 'Rule' : 'Rules'}: ${list}`
}

function toLinks({ items, moreCount, urls }: AlertMessage): TextLink[] {
  const [first] = items
  const isSingle = items.length === 1 && moreCount === 0
  const links: [label: TextLink['label'], url: string | undefined][] = [
    toFirstLink(isSingle ? first : undefined, urls.list),
    ['Held alerts', urls.held],
    ['Open rule', urls.rule],
    ['Mute', urls.mute],
    ['Unsubscribe', urls.unsubscribe],
  ]
  return links.flatMap(([label, url = '']) => {
    const checked = toWebUrl(url)
    return checked === undefined ? [] : [{ label, url: checked }]
  })
}

function toFirstLink(
  only: AlertItem | undefined,
  list: string,
): [label: TextLink['label'], url: string | undefined] {
  if (only === undefined) return ['Open issues', list]
  return [only.issue === undefined ? 'Open' : 'Open issue', toItemBasics(only).url]
}

/** The normalized URL, with other characters percent-encoded; undefined unless it is http or https. */
export function toWebUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.href.replaceAll(/['()*|`]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** "2026-11-23 21:04 UTC". */
export function formatUtc(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function formatAge(ms: number): string {
  if (ms < 2 * hourMs) return `${Math.max(1, Math.round(ms / minuteMs))} min`
  return ms < 2 * dayMs ? `${Math.round(ms / hourMs)} h` : `${Math.round(ms / dayMs)} days`
}

function toText(text: string): string {
  return toPlainLine(text, limits.channelTextCharacters)
}

function toTitle(text: string): string {
  const line = toPlainLine(text, limits.channelTitleCharacters)
  return line === '' ? '(no title)' : line
}

/** Renders a message with as many issues as fit; the others are only counted. Pure. */
export function fitIssues<Rendered>(
  render: (itemCount: number) => Rendered,
  fits: (rendered: Rendered) => boolean,
): Rendered {
  let itemCount: number = limits.channelIssuesShown
  let rendered = render(itemCount)
  while (itemCount > 0 && !fits(rendered)) {
    itemCount -= 1
    rendered = render(itemCount)
  }
  return rendered
}

/** Joins the defined texts with a dot in between. */
export function joinPresent(...texts: (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join(' · ')
}
