import type { Event, Frame } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import type { NameValuePair } from './name-value-pairs.ts'
import { firstLine } from './text.ts'

/**
 * What an event can be found by besides its tags, under Sentry's words for it: types of exceptions, frames, SDK, request, operating
 * system and device. Each pair once.
 */
export function eventTraits(event: Event): NameValuePair[] {
  const traits: NameValuePair[] = []
  const known = new Set<string>()
  const add = (key: string, value: unknown) => {
    if (typeof value !== 'string' && typeof value !== 'number') return
    const line = firstLine(String(value), limits.tagValueCharacters)
    const name = `${key} ${line}`
    if (line === '' || known.has(name)) return
    known.add(name)
    traits.push([key, line])
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
  return traits
}

function addContexts({ contexts }: Event, add: (key: string, value: unknown) => void): void {
  const { response, os, device } = contexts
  add('http.status_code', response?.['status_code'])
  for (const name of ['build', 'kernel_version', 'distribution_name', 'distribution_version'])
    add(`os.${name}`, os?.[name])
  for (const name of ['brand', 'model_id', 'arch']) add(`device.${name}`, device?.[name])
}

/** The frames of the application, nearest to the error first; those of libraries where the SDK marked none. */
function findFrames(event: Event): Frame[] {
  const ofApp: Frame[] = []
  const others: Frame[] = []
  const traces = [...event.threads, ...event.exceptions].flatMap(({ stackTrace }) => stackTrace ?? [])
  for (const { frames } of traces.toReversed()) {
    for (let at = frames.length - 1; at >= 0; at -= 1) {
      const frame = frames[at]
      if (frame === undefined || ofApp.length === limits.traitFrames) break
      if (frame.inApp === true) ofApp.push(frame)
      else if (others.length < limits.traitFrames) others.push(frame)
    }
  }
  return ofApp.length > 0 ? ofApp : others
}
