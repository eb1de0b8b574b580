import type { User } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { isEmpty, nonEmpty } from '#server/normalize/emptiness.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { boundJsonObject, createSmallBudget } from '#server/normalize/free-form-json.ts'

/** Platforms of programs on the user's own device, whose sender's address is the user's. */
const clientPlatforms = new Set(['javascript', 'cocoa', 'objc'])

const knownFields = new Set(['id', 'email', 'username', 'name', 'ip_address', 'geo', 'data', '__proto__'])

/** The data from which the user's address is determined. */
export interface UserOrigin {
  platform: string
  /** Address of the HTTP client that sent the event. */
  clientAddress?: string
  /** The server's `REMOTE_ADDR`, from the event's request. */
  remoteAddress?: string
  /** The SDK's `settings.infer_ip`: `auto`, `never`, or absent for SDKs before 2025. */
  inferIp?: string
  /** True if the sender is a server although its platform is that of browsers. */
  isOnServer?: boolean
}

/**
 * Reads an event's user; undefined if nothing is known.
 *
 * Fields other than Sentry's own are kept in `data`. The address is the one in the payload. `{{auto}}`, or no
 * address from a client platform, means the sender's address, unless the SDK disables inference (Relay's
 * `normalize_ip_addresses`).
 */
export function readUser(event: FieldReader, key: string, origin: UserOrigin): User | undefined {
  const user: User = {}
  const reader = event.object(key)
  if (reader !== undefined) readFields(reader, user)
  const address = userAddress(reader?.trimmedText('ip_address', limits.nameCharacters), origin)
  if (address !== undefined) user.ipAddress = address
  return nonEmpty(user)
}

function readFields(reader: FieldReader, user: User): void {
  const id = reader.trimmedText('id', limits.nameCharacters)
  const email = reader.trimmedText('email', limits.nameCharacters)
  const username = reader.trimmedText('username', limits.nameCharacters)
  const name = reader.trimmedText('name', limits.nameCharacters)
  const geo = reader.json('geo', createSmallBudget())
  const data = readData(reader)
  if (id !== undefined) user.id = id
  if (email !== undefined) user.email = email
  if (username !== undefined) user.username = username
  if (name !== undefined) user.name = name
  if (geo !== undefined) user.geo = geo
  if (data !== undefined) user.data = data
}

function readData(reader: FieldReader): JsonObject | undefined {
  const data = reader.json('data', createSmallBudget())
  const others: JsonObject = {}
  for (const key in reader.source) {
    const value = reader.source[key]
    if (!knownFields.has(key) && value !== undefined && value !== null) others[key] = value
  }
  return isEmpty(others) ? data : { ...data, ...boundJsonObject(others, createSmallBudget()) }
}

function userAddress(sent: string | undefined, origin: UserOrigin): string | undefined {
  if (sent !== undefined && sent !== '{{auto}}') return isAddress(sent) ? sent : undefined
  if (origin.inferIp === 'never') return undefined
  if (origin.remoteAddress !== undefined && isAddress(origin.remoteAddress)) return origin.remoteAddress
  const isClient = clientPlatforms.has(origin.platform) && origin.isOnServer !== true
  const isWanted = sent === '{{auto}}' || origin.inferIp === 'auto' || isClient
  return isWanted ? origin.clientAddress : undefined
}

/** Intentionally lenient: it rejects free text, but need not validate addresses. */
function isAddress(text: string): boolean {
  return /^[\da-f:.]{2,45}(?:%\w{1,16})?$/i.test(text) && /[.:]/.test(text)
}
