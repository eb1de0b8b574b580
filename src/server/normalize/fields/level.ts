import type { Level } from '#protocol/event.ts'
import type { Json } from '#protocol/json.ts'

/** Names of levels in SDKs and loggers; the numbers are those of Python's `logging`. */
const levelsByName = new Map<string, Level>([
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['emergency', 'fatal'],
  ['alert', 'fatal'],
  ['50', 'fatal'],
  ['error', 'error'],
  ['40', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['30', 'warning'],
  ['info', 'info'],
  ['log', 'info'],
  ['notice', 'info'],
  ['20', 'info'],
  ['debug', 'debug'],
  ['trace', 'debug'],
  ['10', 'debug'],
])

/** Parses a level under any of its names; undefined if it is invalid. */
export function parseLevel(value: Json | undefined): Level | undefined {
  if (typeof value === 'number') return levelsByName.get(String(value))
  if (typeof value !== 'string') return undefined
  return levelsByName.get(value) ?? levelsByName.get(value.slice(0, 20).trim().toLowerCase())
}
