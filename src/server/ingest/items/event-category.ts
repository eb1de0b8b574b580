import type { EventType } from '#protocol/event.ts'

/** The data category of an event item. As in Relay, messages count as errors: one limit applies to both. */
export function eventCategory(type: EventType): 'error' | 'feedback' | 'security' | 'transaction' {
  return categories[type]
}

const categories = {
  error: 'error',
  default: 'error',
  csp: 'security',
  hpkp: 'security',
  expectct: 'security',
  expectstaple: 'security',
  feedback: 'feedback',
  monitor: 'error',
  uptime: 'error',
  performance: 'error',
  transaction: 'transaction',
} as const satisfies Record<EventType, string>
