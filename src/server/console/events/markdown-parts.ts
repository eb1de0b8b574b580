import type { Breadcrumb, Event, Frame } from '#protocol/event.ts'
import { toExceptionsText, toStackTraceText } from '#protocol/stack-trace-text.ts'
import { fencedBlock, inlineCode } from './markdown-text.ts'

/** Parts of an event, in the order in which they are written. */
export const eventParts = ['stack', 'source', 'breadcrumbs', 'tags', 'request', 'contexts', 'extra'] as const

export type EventPart = (typeof eventParts)[number]

export interface PartBounds {
  /** Characters of a block of code. */
  blockCharacters: number
  /** Own frames of which the source around them is written, the newest. */
  sourceFrames: number
  /** Breadcrumbs that are written, the newest. */
  breadcrumbs: number
  /** Writes the variables of these frames. */
  showsVariables?: boolean
  /** Writes frames of libraries in a row as one line with their number. */
  foldsLibraries?: boolean
}

/**
 * A part of an event as Markdown; empty if the event does not have it. All untrusted text is in code, which
 * it cannot close.
 */
export function toEventPart(event: Event, part: EventPart, bounds: PartBounds): string {
  return blocksOf[part](event, bounds)
    .filter((block) => block !== '')
    .join('\n\n')
}

/** The paragraphs of each part. */
const blocksOf: Record<EventPart, (event: Event, bounds: PartBounds) => string[]> = {
  stack: stackBlocks,
  source: sourceBlocks,
  breadcrumbs: breadcrumbBlocks,
  tags: ({ tags }, bounds) =>
    textBlocks('Tags', tags.map(([key, value]) => `${key}: ${value}`).join('\n'), bounds),
  request: ({ request = {} }, bounds) => objectBlocks('Request', request, bounds),
  contexts: ({ contexts }, bounds) => objectBlocks('Contexts', contexts, bounds),
  extra: ({ extra }, bounds) => objectBlocks('Additional data', extra, bounds),
}

function textBlocks(title: string, text: string, { blockCharacters }: PartBounds): string[] {
  return text === '' ? [] : [`## ${title}`, fenced(text, blockCharacters)]
}

function objectBlocks(title: string, value: object, { blockCharacters }: PartBounds): string[] {
  if (Object.keys(value).length === 0) return []
  return [`## ${title}`, fenced(JSON.stringify(value, undefined, 1), blockCharacters, 'json')]
}

function stackBlocks({ message, exceptions, threads, platform }: Event, bounds: PartBounds): string[] {
  const options = { foldsLibraries: bounds.foldsLibraries === true }
  const thread = threads.find(({ crashed, current }) => crashed === true || current === true)
  return [
    ...textBlocks('Message', message?.formatted ?? '', bounds),
    ...textBlocks(
      'Exception',
      exceptions.length === 0 ? '' : toExceptionsText(exceptions, platform, options),
      bounds,
    ),
    ...(exceptions.length === 0 && thread?.stackTrace !== undefined
      ? textBlocks('Stack trace', toStackTraceText(thread.stackTrace, options), bounds)
      : []),
  ]
}

/** The source around the newest in-app frames of the exception. */
function sourceBlocks({ exceptions }: Event, bounds: PartBounds): string[] {
  const frames = (exceptions.at(-1)?.stackTrace?.frames ?? []).toReversed()
  const own = frames.filter(({ inApp }) => inApp === true)
  const shown = (own.length > 0 ? own : frames)
    .filter(({ contextLine }) => contextLine !== undefined)
    .slice(0, bounds.sourceFrames)
  return shown.length === 0 ? [] : ['## Source', ...shown.flatMap((frame) => sourceOf(frame, bounds))]
}

function sourceOf(frame: Frame, { blockCharacters, showsVariables }: PartBounds): string[] {
  const place = [frame.filename ?? frame.absPath ?? frame.module ?? '', frame.lineNumber]
  const lines = [
    ...(frame.preContext ?? []).map((line) => `  ${line}`),
    `> ${frame.contextLine ?? ''}`,
    ...(frame.postContext ?? []).map((line) => `  ${line}`),
  ]
  const parts = [
    inlineCode(place.filter((each) => each !== undefined).join(':')),
    fenced(lines.join('\n'), blockCharacters),
  ]
  if (frame.sourceUrl !== undefined) parts.push(`<${frame.sourceUrl}>`)
  if (showsVariables === true && frame.vars !== undefined && Object.keys(frame.vars).length > 0)
    parts.push('Variables:', fenced(JSON.stringify(frame.vars, undefined, 2), blockCharacters, 'json'))
  return parts
}

function breadcrumbBlocks({ breadcrumbs, occurredAt }: Event, bounds: PartBounds): string[] {
  const lines = breadcrumbs.slice(-bounds.breadcrumbs).map((each) => breadcrumbLine(each, occurredAt))
  return textBlocks('Breadcrumbs', lines.join('\n'), bounds)
}

/** `-2.35s error fetch: GET /pay {"status_code":500}`. */
function breadcrumbLine(breadcrumb: Breadcrumb, occurredAt: number): string {
  const { at, level, category, type, message, data } = breadcrumb
  const parts = [
    at === undefined ? '' : `${((at - occurredAt) / 1000).toFixed(2)}s`,
    level,
    `${category ?? type ?? 'default'}:`,
    message ?? '',
    data === undefined ? '' : JSON.stringify(data),
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function fenced(text: string, blockCharacters: number, language = ''): string {
  if (text.length <= blockCharacters) return fencedBlock(text, language)
  const rest = text.length - blockCharacters
  return `${fencedBlock(text.slice(0, blockCharacters), language)}\n\n(${rest} more characters)`
}
