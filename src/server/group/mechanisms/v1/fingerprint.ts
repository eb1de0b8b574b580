import type { Event, Frame } from '#protocol/event.ts'
import { eventTraces } from './event-traces.ts'
import { createInAppPredicate } from './in-app.ts'

/** A whole part of a fingerprint that is a variable of the event, with optional white space in the braces. */
const variable = /^\s*\{\{\s*(\S+?)\s*\}\}\s*$/

/** The fingerprint that the SDK has set, unless it is the default. */
export function customFingerprint(event: Event): string[] | undefined {
  const { fingerprint } = event
  if (fingerprint === undefined || fingerprint.length === 0) return undefined
  const [only, second] = fingerprint
  if (second === undefined && only !== undefined && variableName(only) === 'default') return undefined
  return fingerprint
}

/** A fingerprint with replaced variables; `defaultHash` is called only for a `{{ default }}` among them. */
export function fingerprintParts(event: Event, fingerprint: string[], defaultHash: () => string): string[] {
  return fingerprint.map((part) => {
    const name = variableName(part)
    if (name === undefined) return part
    return name === 'default' ? `default ${defaultHash()}` : variableValue(event, name)
  })
}

function variableName(part: string): string | undefined {
  return variable.exec(part)?.[1]
}

/** The names are those of Sentry's fingerprint rules; missing values are spelled out, as there. */
function variableValue(event: Event, name: string): string {
  if (name.startsWith('tags.')) {
    const key = name.slice('tags.'.length)
    return event.tags.find(([tag]) => tag === key)?.[1] ?? `<no-value-for-tag-${key}>`
  }
  switch (name) {
    case 'transaction':
      return event.transaction ?? '<no-transaction>'
    case 'message':
      return event.message?.formatted ?? '<no-message>'
    case 'logger':
      return event.logger ?? '<no-logger>'
    case 'level':
      return event.level
    case 'type':
    case 'error.type':
      return event.exceptions.at(-1)?.type ?? '<no-type>'
    case 'value':
    case 'error.value':
      return event.exceptions.at(-1)?.value ?? '<no-value>'
    default:
      return frameVariableValue(event, name)
  }
}

function frameVariableValue(event: Event, name: string): string {
  const frame = findCrashFrame(event)
  switch (name) {
    case 'function':
    case 'stack.function':
      return frame?.function ?? '<no-function>'
    case 'module':
    case 'stack.module':
      return frame?.module ?? '<no-module>'
    case 'abs_path':
    case 'stack.abs_path':
      return frame?.absPath ?? frame?.filename ?? '<no-abs-path>'
    case 'package':
    case 'stack.package':
      return frame?.package?.split(/[/\\]/).at(-1) ?? '<no-package>'
    default:
      return `<unrecognized-variable-${name}>`
  }
}

/** The last in-app frame of the thrown exception, or its last frame. */
function findCrashFrame(event: Event): Frame | undefined {
  const traces = eventTraces(event)
  const frames = (event.exceptions.at(-1)?.stackTrace ?? traces.at(-1))?.frames ?? []
  return frames.findLast(createInAppPredicate(traces, event.platform)) ?? frames.at(-1)
}
