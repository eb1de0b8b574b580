import { parseEventId } from './event-id.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { parseTimestamp } from './timestamp.ts'

/**
 * The state of a session, from best to worst. `errored` had an error that the application handled,
 * `unhandled` one that it did not handle but survived; `abnormal` ended without an end update, `crashed` by
 * an error.
 */
export const sessionStates = ['healthy', 'errored', 'unhandled', 'abnormal', 'crashed'] as const
export type SessionState = (typeof sessionStates)[number]

/** The attributes shared by all sessions of an item. */
export interface SessionAttributes {
  release: string
  environment?: string
  userAgent?: string
}

/** The payload of a `session` item: one session as it is now. */
export interface SessionUpdate {
  /** 32 lower-case hex digits. */
  sid: string
  /** The user of the application, by any identifier that the SDK has. */
  did?: string
  /** Grows with each update of a session. */
  seq?: number
  /** The first update of its session. */
  isFirst: boolean
  /** Unix milliseconds, by the sender's clock. */
  startedAt: number
  /** The time of this update; as `startedAt`. */
  updatedAt?: number
  state: SessionState
  attributes: SessionAttributes
}

/** Sessions of one minute and, if the SDK sends it, of one user. */
export interface SessionBucket {
  /** Unix milliseconds, by the sender's clock. */
  startedAt: number
  did?: string
  counts: Record<SessionState, number>
}

/** The payload of a `sessions` item: sessions that a server counted before it sent them. */
export interface SessionAggregates {
  buckets: SessionBucket[]
  attributes: SessionAttributes
}

/**
 * Reads the payload of a `session` item (develop docs, "Sessions"). Undefined without an id, a start or a
 * release, which counting requires; any other invalid field is ignored.
 */
export function parseSessionUpdate(value: unknown): SessionUpdate | undefined {
  if (!isJsonObject(value)) return undefined
  const sid = parseEventId(value['sid'])
  const startedAt = parseTimestamp(value['started'])
  const attributes = parseAttributes(value['attrs'])
  if (sid === undefined || startedAt === undefined || attributes === undefined) return undefined
  const update: SessionUpdate = {
    sid,
    isFirst: value['init'] === true,
    startedAt,
    state: parseState(value),
    attributes,
  }
  const did = parseDid(value['did'])
  if (did !== undefined) update.did = did
  const seq = value['seq']
  if (typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0) update.seq = seq
  const updatedAt = parseTimestamp(value['timestamp'])
  if (updatedAt !== undefined) update.updatedAt = updatedAt
  return update
}

/**
 * Reads the payload of a `sessions` item. Undefined without a release or a list of aggregates; an aggregate
 * without a start is skipped.
 */
export function parseSessionAggregates(value: unknown): SessionAggregates | undefined {
  if (!isJsonObject(value)) return undefined
  const attributes = parseAttributes(value['attrs'])
  const aggregates = value['aggregates']
  if (attributes === undefined || !Array.isArray(aggregates)) return undefined
  return { attributes, buckets: aggregates.flatMap((aggregate) => parseBucket(aggregate) ?? []) }
}

function parseBucket(value: unknown): SessionBucket | undefined {
  if (!isJsonObject(value)) return undefined
  const startedAt = parseTimestamp(value['started'])
  if (startedAt === undefined) return undefined
  const did = parseDid(value['did'])
  const counts = {
    healthy: parseCount(value['exited']),
    errored: parseCount(value['errored']),
    unhandled: parseCount(value['unhandled']),
    abnormal: parseCount(value['abnormal']),
    crashed: parseCount(value['crashed']),
  }
  return { startedAt, counts, did }
}

/** One bucket covers a minute; larger counts are counter errors. */
const largestCount = 1_000_000

function parseCount(value: unknown): number {
  return typeof value === 'number' && value >= 1 ? Math.min(Math.floor(value), largestCount) : 0
}

const statesByStatus = new Map<unknown, SessionState>([
  [undefined, 'healthy'],
  ['ok', 'healthy'],
  ['exited', 'healthy'],
  ['unhandled', 'unhandled'],
  ['abnormal', 'abnormal'],
  ['crashed', 'crashed'],
])

/** An unknown status counts as errored, as in Relay. */
function parseState({ status, errors }: JsonObject): SessionState {
  const state = statesByStatus.get(status) ?? 'errored'
  return state === 'healthy' && typeof errors === 'number' && errors > 0 ? 'errored' : state
}

function parseAttributes(value: unknown): SessionAttributes | undefined {
  if (!isJsonObject(value)) return undefined
  const release = parseLine(value['release'])
  if (release === undefined) return undefined
  const environment = parseLine(value['environment'])
  const userAgent = value['user_agent']
  return {
    release,
    environment,
    ...(typeof userAgent === 'string' && { userAgent }),
  }
}

/** Names appear in lists, links and file names, so they must be one line. */
function parseLine(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' || /[\r\n\t\f]/.test(text) ? undefined : text
}

function parseDid(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
