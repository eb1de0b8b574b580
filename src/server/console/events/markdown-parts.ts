import type { Breadcrumb, Event, Frame, StackTrace } from '#protocol/event.ts'
import { toExceptionsText, toStackTraceText, type StackTextOptions } from '#protocol/stack-trace-text.ts'
import { fencedBlock, inlineCode } from './markdown-text.ts'
import { cutToWeight, textWeight } from './text-weight.ts'

/** Parts of an event, in output order. */
export const eventParts = ['stack', 'source', 'breadcrumbs', 'tags', 'request', 'contexts', 'extra'] as const

export type EventPart = (typeof eventParts)[number]

export interface PartBounds {
  /** Maximum characters of a code block. */
  blockCharacters: number
  /** Maximum in-app frames with source, most recent call first. */
  sourceFrames: number
  /** Maximum breadcrumbs, the newest. */
  breadcrumbs: number
  /** Includes the variables of these frames. */
  showsVariables?: boolean
  /** Counts characters outside ASCII as `textWeight` does. */
  weighsCharacters?: boolean
  /** Collapses consecutive library frames to one line with their number. */
  foldsLibraries?: boolean
}

/**
 * A part of an event as Markdown; empty if the event does not have it. All untrusted text is in code blocks
 * or spans, which it cannot end.
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

function textBlocks(title: string, text: string, bounds: PartBounds): string[] {
  return text === '' ? [] : [`## ${title}`, fenced(text, bounds)]
}

function objectBlocks(title: string, value: object, bounds: PartBounds): string[] {
  if (Object.keys(value).length === 0) return []
  return [`## ${title}`, fenced(JSON.stringify(value, undefined, 1), bounds, 'json')]
}

function stackBlocks({ message, exceptions, threads, platform }: Event, bounds: PartBounds): string[] {
  const thread = threads.find(({ crashed, current }) => crashed === true || current === true)
  return [
    ...textBlocks('Message', message?.formatted ?? '', bounds),
    ...textBlocks(
      'Exception',
      exceptions.length === 0
        ? ''
        : linkedText((options) => toExceptionsText(exceptions, platform, options), bounds),
      bounds,
    ),
    ...(exceptions.length === 0 ? threadBlocks(thread?.stackTrace, platform, bounds) : []),
  ]
}

function threadBlocks(trace: StackTrace | undefined, platform: string, bounds: PartBounds): string[] {
  if (trace === undefined) return []
  return textBlocks(
    'Stack trace',
    linkedText((options) => toStackTraceText(trace, platform, options), bounds),
    bounds,
  )
}

/** With the links of its frames, unless they would displace frames. */
function linkedText(toText: (options: StackTextOptions) => string, bounds: PartBounds): string {
  const options = { foldsLibraries: bounds.foldsLibraries === true }
  const linked = toText({ ...options, showsSourceUrls: true })
  return weightIn(linked, bounds) <= bounds.blockCharacters ? linked : toText(options)
}

/** The source around the last in-app frames of the exception. */
function sourceBlocks({ exceptions }: Event, bounds: PartBounds): string[] {
  const frames = (exceptions.at(-1)?.stackTrace?.frames ?? []).toReversed()
  const own = frames.filter(({ inApp }) => inApp === true)
  const shown = (own.length > 0 ? own : frames)
    .filter(({ contextLine }) => contextLine !== undefined)
    .slice(0, bounds.sourceFrames)
  return shown.length === 0 ? [] : ['## Source', ...shown.flatMap((frame) => sourceOf(frame, bounds))]
}

function sourceOf(frame: Frame, bounds: PartBounds): string[] {
  const location = [frame.filename ?? frame.absPath ?? frame.module ?? '', frame.lineNumber]
  const lines = [
    ...(frame.preContext ?? []).map((line) => `  ${line}`),
    `> ${frame.contextLine ?? ''}`,
    ...(frame.postContext ?? []).map((line) => `  ${line}`),
  ]
  const parts = [
    inlineCode(location.filter((each) => each !== undefined).join(':')),
    fenced(lines.join('\n'), bounds),
  ]
  if (frame.sourceUrl !== undefined) parts.push(`<${frame.sourceUrl}>`)
  if (bounds.showsVariables === true && frame.vars !== undefined && Object.keys(frame.vars).length > 0)
    parts.push('Variables:', fenced(JSON.stringify(frame.vars, undefined, 2), bounds, 'json'))
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

function fenced(text: string, bounds: PartBounds, language = ''): string {
  const { blockCharacters } = bounds
  if (weightIn(text, bounds) <= blockCharacters) return fencedBlock(text, language)
  const kept =
    bounds.weighsCharacters === true ? cutToWeight(text, blockCharacters) : text.slice(0, blockCharacters)
  return `${fencedBlock(kept, language)}\n\n(${text.length - kept.length} more characters)`
}

function weightIn(text: string, { weighsCharacters }: PartBounds): number {
  return weighsCharacters === true ? textWeight(text) : text.length
}
