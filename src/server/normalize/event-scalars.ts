import type { Event, EventType, Level } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import { appConfig } from '../../../app.config.ts'
import type { FieldReader } from './field-reader.ts'
import { parseLevel } from './fields/level.ts'
import { cutText } from './text.ts'

/** The level, under any of its names in SDKs; by default `error` for errors, `info` for others. */
export function readLevel(event: FieldReader, type: EventType): Level {
  const sent = event.source['level']
  const level = parseLevel(sent)
  if (level !== undefined) return level
  if (sent !== undefined && sent !== null && sent !== '') event.note('level', 'wrong_type')
  return type === 'transaction' || type === 'feedback' ? 'info' : 'error'
}

/** A platform as a short lower-case name; `other` if it is missing or invalid. */
export function readPlatform(event: FieldReader): string {
  const platform = event.trimmedText('platform', limits.nameCharacters)?.toLowerCase()
  return platform !== undefined && /^[a-z\d][a-z\d._-]{0,31}$/.test(platform) ? platform : 'other'
}

/** Reads fields of an event that are one short text each. */
export function readNames(reader: FieldReader, event: Event): void {
  const logger = reader.trimmedText('logger', limits.loggerCharacters)
  const serverName = reader.trimmedText('server_name', limits.nameCharacters)
  const release = readLine(reader, 'release', limits.releaseCharacters)
  const dist = readLine(reader, 'dist', limits.distCharacters)
  const transaction = reader.trimmedText('transaction', limits.culpritCharacters)
  const culprit = reader.trimmedText('culprit', limits.culpritCharacters)
  const checksum = reader.trimmedText('checksum', limits.nameCharacters)
  if (logger !== undefined) event.logger = logger
  if (serverName !== undefined) event.serverName = serverName
  if (release !== undefined) event.release = release
  if (dist !== undefined) event.dist = dist
  if (transaction !== undefined) event.transaction = transaction
  if (culprit !== undefined) event.culprit = culprit
  if (checksum !== undefined) event.checksum = checksum
}

/** The environment from a field or (before 2016) from a tag; otherwise the default one. */
export function readEnvironment(reader: FieldReader, tags: Event['tags']): string {
  const sent = readLine(reader, 'environment', limits.environmentCharacters)
  const tagged = tags.find(([key]) => key === 'environment')?.[1] ?? ''
  const environment = sent ?? (cutText(tagged, limits.environmentCharacters) || undefined)
  // SDKs write `none` for an unset environment.
  return environment === undefined || environment === 'none' ? appConfig.defaultEnvironment : environment
}

/** Names that appear in lists, links and file names must be one line. */
function readLine(reader: FieldReader, key: string, maxCharacters: number): string | undefined {
  const text = reader.trimmedText(key, maxCharacters)
  if (text === undefined || !/[\r\n\t\f]/.test(text)) return text
  reader.note(key, 'wrong_type')
  return undefined
}
