import * as v from 'valibot'
import { monitorOwner } from './owner.ts'
import type { MonitorSettings } from './schedule.ts'

/** Methods of HTTP checks. */
export const uptimeMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The target of a check. */
export const uptimeTargetKinds = ['http', 'tcp', 'certificate'] as const

/** Bounds of a check's settings. */
export const uptimeBounds = {
  urlCharacters: 2_000,
  hostCharacters: 253,
  headers: 20,
  headerCharacters: 4_000,
  bodyCharacters: 10_000,
  textCharacters: 1_000,
  statusCharacters: 100,
  intervalSeconds: { least: 30, most: 86_400 },
  /** As Sentry's. */
  timeoutSeconds: { least: 1, most: 30 },
  warnDays: { least: 1, most: 365 },
  thresholds: 100,
} as const

const whole = ({ least, most }: { least: number; most: number }) =>
  v.pipe(
    v.number('Enter a number.'),
    v.safeInteger('Enter a whole number.'),
    v.minValue(least, `Enter ${least} or more.`),
    v.maxValue(most, `Enter ${most} or less.`),
  )

const textOf = (characters: number) =>
  v.pipe(v.string(), v.maxLength(characters, `Use at most ${characters} characters.`))

const url = v.pipe(
  textOf(uptimeBounds.urlCharacters),
  v.trim(),
  v.check((text) => isHttpUrl(text), 'Enter a URL that begins with https:// or http://.'),
)

function isHttpUrl(text: string): boolean {
  const parsed = URL.parse(text)
  if (parsed === null || parsed.hostname === '') return false
  return parsed.protocol === 'https:' || parsed.protocol === 'http:'
}

const host = v.pipe(
  textOf(uptimeBounds.hostCharacters),
  v.trim(),
  v.check((text) => isHost(text), 'Enter a host name or an address.'),
)

function isHost(text: string): boolean {
  const name = text.includes(':') ? `[${text}]` : text
  const parsed = /[\s/?#@\\]/.test(text) ? null : URL.parse(`http://${name}/`)
  return parsed !== null && parsed.hostname !== '' && parsed.port === ''
}

const port = whole({ least: 1, most: 65_535 })

/** Headers that a check sets itself, or that would change what is sent. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'keep-alive',
  'proxy-connection',
  'accept-encoding',
  'sentry-trace',
  'baggage',
])

const headerName = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'A header is a name, a colon and a value.'),
  v.check((name) => !ownHeaders.has(name.toLowerCase()), 'The check sets this header itself.'),
)
const headerValue = v.pipe(
  textOf(uptimeBounds.headerCharacters),
  v.regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, 'A header has a character that HTTP does not allow.'),
)

const expectedStatus = v.pipe(
  textOf(uptimeBounds.statusCharacters),
  v.trim(),
  v.check((text) => parseStatuses(text) !== undefined, 'Enter statuses such as 2xx, 200-204 or 301, 302.'),
)

const target = v.variant('kind', [
  v.object({
    kind: v.literal('http'),
    url,
    method: v.picklist(uptimeMethods),
    headers: v.pipe(
      v.array(v.tuple([headerName, headerValue])),
      v.maxLength(uptimeBounds.headers, `Use at most ${uptimeBounds.headers} headers.`),
    ),
    body: textOf(uptimeBounds.bodyCharacters),
    /** Statuses as entered: `2xx, 301`. */
    expectedStatus,
    /** Must be in the response; empty: the body is not read. */
    expectedText: textOf(uptimeBounds.textCharacters),
    followsRedirects: v.boolean(),
  }),
  v.object({ kind: v.literal('tcp'), host, port }),
  /** TLS: the certificate is valid for more than `warnDays` days. */
  v.object({ kind: v.literal('certificate'), host, port, warnDays: whole(uptimeBounds.warnDays) }),
])
export type UptimeTarget = v.InferOutput<typeof target>

const environment = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('Enter an environment.'),
  v.maxLength(64, 'Use at most 64 characters.'),
  v.regex(/^[^\p{Cc}/]+$/u, 'Slashes and control characters are not allowed.'),
  v.check((name) => name !== 'none', 'Choose another name.'),
)

const threshold = whole({ least: 1, most: uptimeBounds.thresholds })

/** The settings of an uptime monitor. */
export const uptimeSettings = v.pipe(
  v.object({
    kind: v.literal('uptime'),
    target,
    /** Of the issue. */
    environment,
    intervalSeconds: whole(uptimeBounds.intervalSeconds),
    timeoutSeconds: whole(uptimeBounds.timeoutSeconds),
    /** Consecutive failures that create an issue. */
    failureThreshold: threshold,
    /** Consecutive successes that resolve it. */
    recoveryThreshold: threshold,
    owner: v.optional(monitorOwner),
  }),
  v.forward(
    v.partialCheck(
      [['intervalSeconds'], ['timeoutSeconds']],
      // An interval that is too short has its own message.
      ({ intervalSeconds, timeoutSeconds }) =>
        intervalSeconds < uptimeBounds.intervalSeconds.least || timeoutSeconds <= intervalSeconds - 5,
      'The timeout must be at least 5 seconds shorter than the interval.',
    ),
    ['timeoutSeconds'],
  ),
)
export type UptimeSettings = v.InferOutput<typeof uptimeSettings>

/** Sentry's defaults. */
export const defaultUptimeSettings = {
  intervalSeconds: 60,
  timeoutSeconds: 10,
  failureThreshold: 3,
  recoveryThreshold: 1,
} as const

/** Days before a certificate expires. */
export const defaultWarnDays = 14

/** The settings of a monitor of any kind. */
export type StoredSettings = MonitorSettings | UptimeSettings

/** True for the settings of an uptime monitor. */
export function isUptime(settings: StoredSettings): settings is UptimeSettings {
  return 'target' in settings
}

/** A range of statuses, both ends included. */
export interface StatusRange {
  from: number
  to: number
}

/** Parses `2xx`, `200-204`, `301, 302`; undefined for other texts. */
export function parseStatuses(text: string): StatusRange[] | undefined {
  const ranges = text.split(',').map((part) => parseStatus(part.trim().toLowerCase()))
  return ranges.every((range) => range !== undefined) ? ranges : undefined
}

function parseStatus(text: string): StatusRange | undefined {
  const [, group] = /^([1-5])xx$/.exec(text) ?? []
  if (group !== undefined) return { from: Number(group) * 100, to: Number(group) * 100 + 99 }
  const [, first, last = first] = /^([1-5]\d\d)(?:\s*-\s*([1-5]\d\d))?$/.exec(text) ?? []
  if (first === undefined || Number(first) > Number(last)) return undefined
  return { from: Number(first), to: Number(last) }
}

/** The URL or address of a target, as entered. */
export function formatUptimeTarget(given: UptimeTarget): string {
  if (given.kind === 'http') return given.url
  return `${given.host.includes(':') ? `[${given.host}]` : given.host}:${given.port}`
}

/** The same without parts that may be secret: a query, or a user and a password. */
export function formatPublicTarget(given: UptimeTarget): string {
  return formatUptimeTarget(given)
    .replace(/[?#].*$/s, '')
    .replace(/\/\/[^/]*@/, '//')
}

/** `every 30 seconds`, `every minute`, `every 2 hours`. */
export function formatInterval(seconds: number): string {
  for (const [unit, length] of [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const)
    if (seconds % length === 0)
      return seconds === length ? `every ${unit}` : `every ${seconds / length} ${unit}s`
  return `every ${seconds} seconds`
}

/** The reasons of a failed check. */
export const checkReasons = [
  'dns',
  'refused',
  'timeout',
  'tls',
  'connection',
  'protocol',
  'status',
  'text',
  'redirect',
  'forbidden',
  'expiry',
] as const
export type CheckReason = (typeof checkReasons)[number]

/** Reasons that a fault of Culvert's own network can also cause. */
const networkReasons: ReadonlySet<CheckReason> = new Set(['dns', 'refused', 'timeout', 'connection'])

/** True if Culvert's own network may be the cause. */
export function isNetworkReason(reason: CheckReason): boolean {
  return networkReasons.has(reason)
}

/** The result of a check. */
export const checkSeen = v.object({
  /** Absent for a success. */
  reason: v.optional(v.picklist(checkReasons)),
  /** A sentence without a full stop. */
  detail: v.string(),
  httpStatus: v.optional(v.number()),
  /** Unix milliseconds. */
  certificateExpiresAt: v.optional(v.number()),
})
export type CheckSeen = v.InferOutput<typeof checkSeen>
