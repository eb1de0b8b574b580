import * as v from 'valibot'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { dayMs } from '#time/time-steps.ts'
import { parseOwner } from './owner.ts'
import { defaultMonitorSettings, intervalUnits, monitorSettings } from './schedule.ts'

/** The statuses of a client's report about a job. `log` has only a text. */
const reportedStatuses = ['in_progress', 'ok', 'error', 'log'] as const

/** Reasons why the settings in a check-in create no monitor; they are reasons of outcomes. */
const configProblems = ['monitor_crontab', 'monitor_timezone', 'monitor_interval', 'monitor_config'] as const
export type ConfigProblem = (typeof configProblems)[number]

/** Reasons why a check-in is not stored; they are reasons of outcomes. */
export const checkInProblems = [
  ...configProblems,
  'invalid_json',
  'too_large',
  'monitor_slug',
  'monitor_environment',
  'monitor_status',
  'monitor_not_found',
  'monitor_disabled',
  'monitor_unreadable',
  'monitor_uptime',
  'monitor_limit',
  'monitor_environment_limit',
  'monitor_finished',
  'monitor_rate',
] as const
export type CheckInProblem = (typeof checkInProblems)[number]

/** The monitor settings in a check-in, or the problem with them. */
const sentConfig = v.variant('ok', [
  v.object({ ok: v.literal(true), settings: monitorSettings }),
  v.object({ ok: v.literal(false), reason: v.picklist(configProblems), problem: v.string() }),
])
export type SentConfig = v.InferOutput<typeof sentConfig>

/** A check-in as a client sent it, after `parseCheckIn`. */
export const checkInSchema = v.object({
  slug: v.string(),
  environment: v.string(),
  status: v.picklist(reportedStatuses),
  /** 32 lower-case hex digits; undefined means the newest unfinished run, else a new one. */
  id: v.optional(v.string()),
  durationMs: v.optional(v.number()),
  release: v.optional(v.string()),
  /** 32 lower-case hex digits. */
  traceId: v.optional(v.string()),
  config: v.optional(sentConfig),
  /** The output of the job. */
  body: v.optional(v.string()),
})
export type CheckIn = v.InferOutput<typeof checkInSchema>

export type CheckInResult = { ok: true; checkIn: CheckIn } | { ok: false; reason: CheckInProblem }

const slugCharacters = 50
const environmentCharacters = 64
const defaultEnvironment = 'production'
/** 40 days. */
const longestDurationMs = 40 * dayMs

/** Parses the payload of a `check_in` item: like Relay, truncates slugs and drops invalid durations. */
export function parseCheckIn(value: unknown): CheckInResult {
  if (!isJsonObject(value)) return { ok: false, reason: 'invalid_json' }
  const slug = toMonitorSlug(value['monitor_slug'])
  if (slug === undefined) return { ok: false, reason: 'monitor_slug' }
  const environment = toEnvironment(value['environment'])
  if (environment === undefined) return { ok: false, reason: 'monitor_environment' }
  const status = reportedStatuses.find((each) => each === value['status'])
  if (status === undefined) return { ok: false, reason: 'monitor_status' }
  const checkIn: CheckIn = { slug, environment, status }
  const id = toId(value['check_in_id'])
  if (id !== undefined) checkIn.id = id
  const durationMs = status === 'in_progress' ? undefined : toDurationMs(value['duration'])
  if (durationMs !== undefined) checkIn.durationMs = durationMs
  const release = value['release']
  if (typeof release === 'string' && release !== '') checkIn.release = toStoredText(release.slice(0, 200))
  const traceId = findTraceId(value)
  if (traceId !== undefined) checkIn.traceId = traceId
  // Not in Sentry's protocol: the output of a job, from a ping.
  const output = value['output']
  if (typeof output === 'string' && output !== '') checkIn.body = toStoredText(output)
  const config = value['monitor_config']
  if (config !== undefined && config !== null) checkIn.config = parseConfig(config)
  return { ok: true, checkIn }
}

/** Removes NUL, which PostgreSQL cannot store, and replaces half of a character, which neither engine can. */
function toStoredText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Converts to a stored slug: truncated, with Sentry's characters; undefined if nothing is left. */
export function toMonitorSlug(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const slug = value
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .slice(0, slugCharacters)
  return /[a-z0-9]/.test(slug) ? slug : undefined
}

function toEnvironment(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return defaultEnvironment
  if (typeof value !== 'string' || value.length > environmentCharacters) return undefined
  // Control characters and slashes, as in the environments of events.
  return /[\p{Cc}/]/u.test(value) || value.trim() === '' || value === 'none'
    ? undefined
    : toStoredText(value.trim())
}

/** Reads a UUID with or without dashes; undefined for the nil UUID and other values. */
function toId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const id = value.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(id) && !/^0+$/.test(id) ? id : undefined
}

function toDurationMs(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return undefined
  const durationMs = Math.round(seconds * 1000)
  return durationMs <= longestDurationMs ? durationMs : undefined
}

function findTraceId({ contexts }: JsonObject): string | undefined {
  const trace = isJsonObject(contexts) ? contexts['trace'] : undefined
  return isJsonObject(trace) ? toId(trace['trace_id']) : undefined
}

function failed(reason: ConfigProblem, problem: string): SentConfig {
  return { ok: false, reason, problem }
}

/** Parses Sentry's `monitor_config`; absent fields get `defaultMonitorSettings`. */
function parseConfig(value: Json): SentConfig {
  if (!isJsonObject(value)) return failed('monitor_config', 'monitor_config is not an object')
  const sent = isJsonObject(value['schedule']) ? value['schedule'] : value
  const type = sent['type'] ?? value['schedule_type']
  const schedule =
    type === 'interval'
      ? toInterval(sent)
      : { kind: 'crontab', crontab: sent['value'] ?? sent['schedule'], timeZone: value['timezone'] || 'UTC' }
  const { success, output, issues } = v.safeParse(monitorSettings, {
    schedule,
    marginMinutes: toCount(value['checkin_margin']) ?? defaultMonitorSettings.marginMinutes,
    maxRuntimeMinutes: toCount(value['max_runtime']) ?? defaultMonitorSettings.maxRuntimeMinutes,
    failureThreshold: toCount(value['failure_issue_threshold']) ?? defaultMonitorSettings.failureThreshold,
    recoveryThreshold: toCount(value['recovery_threshold']) ?? defaultMonitorSettings.recoveryThreshold,
    owner: parseOwner(value['owner']),
  })
  if (success) return { ok: true, settings: output }
  const [issue] = issues
  return failed(toReason(v.getDotPath(issue) ?? ''), issue.message)
}

function toInterval(sent: JsonObject) {
  const { value } = sent
  // Relay also accepts the pair [2, "hour"].
  const [count, unit] = Array.isArray(value) ? value : [value, sent['unit']]
  const name = typeof unit === 'string' ? unit.replace(/s$/, '') : ''
  return { kind: 'interval', value: toCount(count), unit: intervalUnits.find((each) => each === name) }
}

/** Reads a number, also a string, which some tools send; null if it is absent. */
function toCount(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : (value ?? undefined)
}

function toReason(path: string): ConfigProblem {
  if (path === 'schedule.crontab') return 'monitor_crontab'
  if (path === 'schedule.timeZone') return 'monitor_timezone'
  return path === 'schedule.value' || path === 'schedule.unit' ? 'monitor_interval' : 'monitor_config'
}
