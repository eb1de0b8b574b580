import { toItemBasics, type AlertMessage } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { formatUtc, toMessageText } from './message-text.ts'

type TemplateValue = string | number

/** The values of placeholders, from the message and its first issue. */
const templateValues: Readonly<Record<string, (message: AlertMessage) => TemplateValue>> = {
  headline: (message) => {
    const { lead, title } = toMessageText(message)
    return title === undefined ? lead : `${lead}: ${title}`
  },
  lead: (message) => toMessageText(message).lead,
  kind: ({ kind }) => kind,
  count: ({ items, moreCount }) => items.length + moreCount,
  project: ({ project }) => project.slug,
  projectName: ({ project }) => project.name,
  organization: ({ organization }) => organization,
  rules: ({ rules }) => rules.map(({ name }) => name).join(', '),
  transition: ({ items }) => items[0]?.transition ?? '',
  issue: ({ items }) => items[0]?.issue?.shortId ?? '',
  title: (message) => toMessageText(message).items[0]?.title ?? '',
  titles: (message) =>
    toMessageText(message)
      .items.map(({ shortId, title }) => `${shortId} ${title}`)
      .join('\n'),
  culprit: ({ items }) => items[0]?.issue?.culprit ?? '',
  level: ({ items: [first] }) => (first === undefined ? '' : toItemBasics(first).level),
  environment: ({ items }) => (items[0]?.issue ?? items[0]?.change)?.environment ?? '',
  release: ({ items }) => (items[0]?.issue ?? items[0]?.change)?.release ?? '',
  assignee: ({ items }) => items[0]?.issue?.assignee ?? '',
  events: ({ items }) => items[0]?.issue?.eventCount ?? 0,
  users: ({ items }) => items[0]?.issue?.userCount ?? 0,
  firstSeen: ({ items: [first] }) => (first?.issue === undefined ? '' : formatUtc(first.issue.firstSeenAt)),
  issueUrl: ({ items: [first] }) => (first === undefined ? '' : toItemBasics(first).url),
  listUrl: ({ urls }) => urls.list,
  ruleUrl: ({ urls }) => urls.rule,
  muteUrl: ({ urls }) => urls.mute,
}

/** The valid names between `{{` and `}}`. */
const templateNames: readonly string[] = Object.keys(templateValues)

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The error of a template, for its field; undefined if it is valid. */
export function findTemplateProblem(template: string): string | undefined {
  if (template.length > limits.webhookTemplateCharacters)
    return `The template has more than ${limits.webhookTemplateCharacters} characters.`
  let json: unknown
  try {
    json = JSON.parse(template)
  } catch (error) {
    return `The template is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}. Placeholders must be inside strings: {"text": "{{title}}"}.`
  }
  if (typeof json !== 'object' || json === null) return 'The template must be a JSON object or array.'
  const unknown = findUnknownName(template)
  return unknown === undefined
    ? undefined
    : `Unknown placeholder {{${unknown}}}. Available: ${templateNames.join(', ')}.`
}

function findUnknownName(template: string): string | undefined {
  return [...template.matchAll(placeholder)]
    .map(([, name = '']) => name)
    .find((name) => !Object.hasOwn(templateValues, name))
}

/**
 * Fills in a template: each placeholder in a string is replaced by its value; a string with only a
 * placeholder becomes a number if the value is one. Text of an event cannot end its string. Pure.
 */
export function fillWebhookTemplate(template: string, message: AlertMessage): string {
  return JSON.stringify(fill(JSON.parse(template), message))
}

function fill(json: unknown, message: AlertMessage): unknown {
  if (typeof json === 'string') return fillText(json, message)
  if (Array.isArray(json)) return json.map((each) => fill(each, message))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, fill(value, message)]))
}

function fillText(text: string, message: AlertMessage): TemplateValue {
  const [, only] = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(text) ?? []
  if (only !== undefined) return valueOf(only, message)
  return text.replaceAll(placeholder, (_, name: string) => String(valueOf(name, message)))
}

function valueOf(name: string, message: AlertMessage): TemplateValue {
  const value = Object.hasOwn(templateValues, name) ? templateValues[name]?.(message) : undefined
  if (typeof value !== 'string') return value ?? ''
  return value.toWellFormed().slice(0, limits.webhookTemplateValueCharacters)
}
