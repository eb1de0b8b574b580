import type { EventType } from '#protocol/event.ts'

/** The data category of an event item. Relay counts messages as errors too: one limit is for both. */
export function eventCategory(type: EventType): 'error' | 'security' | 'transaction' {
  if (type === 'transaction') return 'transaction'
  return type === 'csp' ? 'security' : 'error'
}
