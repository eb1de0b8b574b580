import type { Event, Frame, StackTrace } from '#protocol/event.ts'
import { isJsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { firstLine } from './text.ts'

/**
 * The searchable properties of an event other than tags, under Sentry's names: types of exceptions, frames,
 * SDK, request, operating system, device and feature flags. One text, because every event has it and few are
 * written: a line for each term and value, separated by a tab.
 */
export function eventTraits(event: Event): string {
  const lines = new Set<string>()
  const add: Add = (word, value) => {
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string' || text === '') return
    const isPlain = text.length <= limits.tagValueCharacters && !needsCleaning.test(text)
    const line = isPlain ? text : firstLine(text, limits.tagValueCharacters)
    if (line !== '') lines.add(`${word}\t${line}`)
  }
  for (const { type } of event.exceptions.slice(-limits.traitExceptions)) add('error.type', type)
  for (const frame of findFrames(event)) {
    add('stack.filename', frame.filename)
    add('stack.function', frame.function)
    add('stack.module', frame.module)
  }
  add('sdk.name', event.sdk?.name)
  add('sdk.version', event.sdk?.version)
  add('http.method', event.request?.method)
  addContexts(event, add)
  addFlags(event, add)
  return [...lines].join('\n')
}

type Add = (word: string, value: unknown) => void

/** Leading or trailing whitespace, or more than one line. */
const needsCleaning = /[\r\n]|^\s|\s$/

function addContexts({ contexts }: Event, add: Add): void {
  const { response, os, device } = contexts
  add('http.status_code', response?.['status_code'])
  for (const name of ['build', 'kernel_version', 'distribution_name', 'distribution_version'])
    add(`os.${name}`, os?.[name])
  for (const name of ['brand', 'model_id', 'arch']) add(`device.${name}`, device?.[name])
}

/** The feature flags that were evaluated last. */
function addFlags({ contexts: { flags } }: Event, add: Add): void {
  const evaluated = Array.isArray(flags?.['values']) ? flags['values'] : []
  for (const entry of evaluated.slice(-limits.traitsPerIssueKey)) {
    if (!isJsonObject(entry)) continue
    const { flag, result } = entry
    if (typeof flag === 'string' && flag !== '' && result !== undefined && typeof result !== 'object')
      add('flags', `${flag}:${String(result)}`)
  }
}

/** The in-app frames, nearest to the error first; if the SDK marked none, the library frames. */
function findFrames(event: Event): Frame[] {
  const ofApp: Frame[] = []
  const others: Frame[] = []
  for (const { stackTrace } of event.exceptions.toReversed()) addFrames(stackTrace, { ofApp, others })
  for (const { stackTrace } of event.threads) addFrames(stackTrace, { ofApp, others })
  return ofApp.length > 0 ? ofApp : others
}

function addFrames(
  stackTrace: StackTrace | undefined,
  { ofApp, others }: { ofApp: Frame[]; others: Frame[] },
): void {
  for (const frame of stackTrace?.frames.toReversed() ?? []) {
    if (ofApp.length === limits.traitFrames) return
    if (frame.inApp === true) ofApp.push(frame)
    else if (others.length < limits.traitFrames) others.push(frame)
  }
}
