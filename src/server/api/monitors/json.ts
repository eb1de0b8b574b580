import * as v from 'valibot'
import { intervalUnits, monitorSettings, type MonitorSettings } from '#monitors/schedule.ts'
import {
  count,
  instant,
  instantOrNull,
  anyText,
  projectNameAnswer,
  textOrNull,
} from '#server/api/answer-schema.ts'
import type { ListedMonitor } from '#server/store/monitors/listed-monitors.ts'
import type { CheckInRecord } from '#server/store/monitors/records.ts'
import { sentState, type MonitorExtras } from './monitor-calls.ts'
import { ownerAnswer, toOwnerJson } from './owner-json.ts'

const schedule = v.union([anyText, v.tuple([count, v.picklist(intervalUnits)])])
const scheduleTypes = ['crontab', 'interval'] as const

/** A monitor in Sentry's format. */
export const monitorAnswer = v.strictObject({
  id: anyText,
  slug: anyText,
  name: anyText,
  status: v.picklist(['active', 'disabled']),
  isMuted: v.boolean(),
  isUpserting: v.boolean(),
  type: v.literal('cron_job'),
  config: v.strictObject({
    schedule_type: v.picklist(scheduleTypes),
    schedule,
    timezone: anyText,
    checkin_margin: count,
    max_runtime: count,
    failure_issue_threshold: count,
    recovery_threshold: count,
    alert_rule_id: v.null(),
  }),
  dateCreated: instant,
  owner: ownerAnswer,
  /**
   * An addition of Culvert: the URL of the badge, an SVG image; null for callers who may not configure the
   * monitor.
   */
  badgeUrl: textOrNull,
  project: v.strictObject({ ...projectNameAnswer.entries, platform: textOrNull }),
  environments: v.array(
    v.strictObject({
      name: anyText,
      status: anyText,
      isMuted: v.boolean(),
      lastCheckIn: instant,
      nextCheckIn: instantOrNull,
      nextCheckInLatest: instantOrNull,
    }),
  ),
})

/** A check-in in Sentry's format. */
export const checkInAnswer = v.strictObject({
  id: anyText,
  environment: anyText,
  status: anyText,
  duration: v.nullable(count),
  dateCreated: instant,
  expectedTime: instantOrNull,
  release: textOrNull,
})

const monitorName = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('Enter a name.'),
  v.maxLength(100, 'Use at most 100 characters.'),
)

const config = v.looseObject({
  schedule_type: v.picklist(scheduleTypes),
  schedule: v.union([v.string(), v.tuple([v.number(), v.string()])]),
  timezone: v.optional(v.nullable(v.string())),
  checkin_margin: v.optional(v.nullable(v.number())),
  max_runtime: v.optional(v.nullable(v.number())),
  failure_issue_threshold: v.optional(v.nullable(v.number())),
  recovery_threshold: v.optional(v.nullable(v.number())),
})
type SentConfig = v.InferOutput<typeof config>

/** The body of a request that creates a monitor. */
export const sentMonitor = v.looseObject({
  name: monitorName,
  slug: v.optional(v.string()),
  project: v.optional(v.union([v.string(), v.number()])),
  ...sentState,
  is_muted: v.optional(v.boolean()),
  config,
})

/** The body of a request that changes a monitor. Absent fields are not changed. */
export const sentChange = v.looseObject({
  name: v.optional(monitorName),
  ...sentState,
  is_muted: v.optional(v.boolean()),
  config: v.optional(config),
})

/** The parsed settings, or the invalid field with the reason. */
export type ParsedSettings =
  | { ok: true; settings: MonitorSettings }
  | { ok: false; field: string; problem: string }

/** Parses Sentry's `config`. Missing fields have the values of `defaults`. */
export function parseSentSettings(
  sent: SentConfig,
  defaults: Omit<MonitorSettings, 'schedule'> & { schedule?: MonitorSettings['schedule'] },
): ParsedSettings {
  const { schedule: before } = defaults
  const zone = before?.kind === 'crontab' ? before.timeZone : 'UTC'
  const [value, unit] = Array.isArray(sent.schedule) ? sent.schedule : []
  const parsed = v.safeParse(monitorSettings, {
    schedule:
      sent.schedule_type === 'crontab'
        ? { kind: 'crontab', crontab: sent.schedule, timeZone: sent.timezone || zone }
        : { kind: 'interval', value, unit },
    marginMinutes: sent.checkin_margin ?? defaults.marginMinutes,
    maxRuntimeMinutes: sent.max_runtime ?? defaults.maxRuntimeMinutes,
    failureThreshold: sent.failure_issue_threshold ?? defaults.failureThreshold,
    recoveryThreshold: sent.recovery_threshold ?? defaults.recoveryThreshold,
  })
  if (parsed.success) return { ok: true, settings: parsed.output }
  const [issue] = parsed.issues
  const key = issue.path?.at(-1)?.key
  return {
    ok: false,
    field: fieldNames[typeof key === 'string' ? key : ''] ?? 'schedule',
    problem: issue.message,
  }
}

/** Sentry's names of the settings. */
const fieldNames: Readonly<Record<string, string>> = {
  timeZone: 'timezone',
  marginMinutes: 'checkin_margin',
  maxRuntimeMinutes: 'max_runtime',
  failureThreshold: 'failure_issue_threshold',
  recoveryThreshold: 'recovery_threshold',
}

const toInstant = (at: number) => new Date(at).toISOString()

/** Converts a monitor with its environments to Sentry's format. */
export function toMonitorJson(
  monitor: ListedMonitor & { settings: MonitorSettings },
  { environments, users, badgeUrlOf }: MonitorExtras,
): v.InferOutput<typeof monitorAnswer> {
  const { id, slug, name, settings, isPaused, isMuted, createdAt, project } = monitor
  const { schedule: given } = settings
  const isCrontab = given.kind === 'crontab'
  return {
    id,
    slug,
    name,
    status: isPaused ? 'disabled' : 'active',
    isMuted,
    isUpserting: false,
    type: 'cron_job',
    config: {
      schedule_type: given.kind,
      schedule: isCrontab ? given.crontab : [given.value, given.unit],
      timezone: isCrontab ? given.timeZone : 'UTC',
      checkin_margin: settings.marginMinutes,
      max_runtime: settings.maxRuntimeMinutes,
      failure_issue_threshold: settings.failureThreshold,
      recovery_threshold: settings.recoveryThreshold,
      alert_rule_id: null,
    },
    dateCreated: toInstant(createdAt),
    owner: toOwnerJson(settings.owner, users),
    badgeUrl: badgeUrlOf(monitor),
    project: { id: String(project.id), slug: project.slug, name: project.name, platform: null },
    environments: environments
      .filter(({ monitorId }) => monitorId === id)
      .map(({ environment, state }) => ({
        name: environment,
        status: state.isFailing ? 'error' : state.lastStatus === 'in_progress' ? 'ok' : state.lastStatus,
        isMuted: false,
        lastCheckIn: toInstant(state.lastAt),
        nextCheckIn: isPaused ? null : toInstant(state.slot.at),
        nextCheckInLatest: isPaused ? null : toInstant(state.slot.closesAt),
      })),
  }
}

/** Converts a check-in to Sentry's format. */
export function toCheckInJson(
  { id, status, durationMs, at, slotAt, release }: CheckInRecord,
  environment: string,
): v.InferOutput<typeof checkInAnswer> {
  return {
    id,
    environment,
    status,
    duration: durationMs ?? null,
    dateCreated: toInstant(at),
    expectedTime: slotAt === undefined ? null : toInstant(slotAt),
    release: release ?? null,
  }
}
