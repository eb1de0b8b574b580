import type { Event } from '#protocol/event.ts'
import { stableName } from './code-location.ts'
import { eventTraces } from './event-traces.ts'

/**
 * The contribution of an event if nothing else contributes: its platform, logger and transaction, its
 * exceptions' types, and the file of its last frame. Events without any of these are one issue.
 */
export function fallbackParts(event: Event): string[] {
  const parts = [`platform ${event.platform}`]
  if (event.logger) parts.push(`logger ${event.logger}`)
  if (event.transaction) parts.push(`transaction ${event.transaction}`)
  for (const exception of event.exceptions) if (exception.type) parts.push(`type ${exception.type}`)
  const frame = eventTraces(event).at(-1)?.frames.at(-1)
  const path = frame?.absPath || frame?.filename
  if (path && !path.startsWith('blob:')) parts.push(`file ${stableName(path)}`)
  return parts
}
