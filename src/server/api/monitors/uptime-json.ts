import * as v from 'valibot'
import {
  defaultUptimeSettings,
  formatPublicTarget,
  formatUptimeTarget,
  defaultWarnDays,
  uptimeMethods,
  uptimeSettings,
  uptimeTargetKinds,
  type CheckReason,
  type UptimeSettings,
} from '#monitors/uptime.ts'
import { anyText, count, instant, instantOrNull, textOrNull } from '#server/api/answer-schema.ts'
import { parseHostAndPort } from '#server/private-destinations.ts'
import type { ListedMonitor } from '#server/store/monitors/listed-monitors.ts'
import type { CheckInRecord } from '#server/store/monitors/records.ts'
import { sentState, type MonitorExtras } from './monitor-calls.ts'
import { ownerAnswer, toOwnerJson } from './owner-json.ts'

const header = v.tuple([anyText, anyText])

/** An uptime monitor in Sentry's format. `badgeUrl`, `checkKind` and `expected…` are additions of Culvert. */
export const uptimeAnswer = v.strictObject({
  id: anyText,
  projectSlug: anyText,
  environment: anyText,
  name: anyText,
  status: v.picklist(['active', 'disabled']),
  /** 1 for up, 2 for down. */
  uptimeStatus: v.picklist([1, 2]),
  /** 1 for created by a user. */
  mode: v.literal(1),
  url: anyText,
  method: textOrNull,
  headers: v.array(header),
  body: textOrNull,
  intervalSeconds: count,
  timeoutMs: count,
  downtimeThreshold: count,
  recoveryThreshold: count,
  traceSampling: v.literal(false),
  owner: ownerAnswer,
  badgeUrl: textOrNull,
  isMuted: v.boolean(),
  checkKind: v.picklist(uptimeTargetKinds),
  expectedStatus: textOrNull,
  expectedText: textOrNull,
  followsRedirects: v.nullable(v.boolean()),
  /** Days before the expiry of the certificate. */
  certificateWarnDays: v.nullable(count),
})

/** The result of a check in Sentry's format. */
export const uptimeCheckAnswer = v.strictObject({
  uptimeCheckId: anyText,
  environment: anyText,
  timestamp: instant,
  scheduledCheckTime: instantOrNull,
  checkStatus: v.picklist(['success', 'failure', 'missed_window']),
  checkStatusReason: textOrNull,
  httpStatusCode: v.nullable(count),
  durationMs: v.nullable(count),
  traceId: textOrNull,
})

const optional = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema))

/** The body of a request that creates or changes an uptime monitor. */
export const sentUptime = v.looseObject({
  name: optional(v.pipe(v.string(), v.trim(), v.nonEmpty('Enter a name.'), v.maxLength(100))),
  /** `https://…`, `tcp://HOST:PORT`, or `tls://HOST:PORT` for the expiry of a certificate. */
  url: optional(v.string()),
  method: optional(v.picklist(uptimeMethods)),
  headers: optional(v.array(v.tuple([v.string(), v.string()]))),
  body: optional(v.string()),
  intervalSeconds: optional(v.number()),
  timeoutMs: optional(v.number()),
  downtimeThreshold: optional(v.number()),
  recoveryThreshold: optional(v.number()),
  environment: optional(v.string()),
  ...sentState,
  expectedStatus: optional(v.string()),
  expectedText: optional(v.string()),
  followsRedirects: optional(v.boolean()),
  certificateWarnDays: optional(v.number()),
})
type SentUptime = v.InferOutput<typeof sentUptime>

type ParsedUptime = { ok: true; settings: UptimeSettings } | { ok: false; field: string; problem: string }

/** The settings in a body. Missing fields are unchanged, or have the defaults. */
export function parseSentUptime(sent: SentUptime, before?: UptimeSettings): ParsedUptime {
  const known = before ?? { ...defaultUptimeSettings, environment: 'production', target: undefined }
  const parsed = v.safeParse(uptimeSettings, {
    kind: 'uptime',
    target: toTarget(sent, known.target),
    environment: sent.environment ?? known.environment,
    intervalSeconds: sent.intervalSeconds ?? known.intervalSeconds,
    timeoutSeconds:
      typeof sent.timeoutMs === 'number' ? Math.ceil(sent.timeoutMs / 1_000) : known.timeoutSeconds,
    failureThreshold: sent.downtimeThreshold ?? known.failureThreshold,
    recoveryThreshold: sent.recoveryThreshold ?? known.recoveryThreshold,
  })
  if (parsed.success) return { ok: true, settings: parsed.output }
  const [issue] = parsed.issues
  const names = (issue.path ?? []).flatMap(({ key }) => (typeof key === 'string' ? key : []))
  const name = names.at(-1) ?? ''
  return { ok: false, field: fieldNames[name] ?? name, problem: issue.message }
}

/** The target in a body, before the schema validates it. Its URL determines the kind of check. */
function toTarget(sent: SentUptime, before: UptimeSettings['target'] | undefined) {
  const [, scheme] = /^(tcp|tls):\/\//.exec(sent.url ?? '') ?? []
  const kind = sent.url ? (scheme ?? 'http') : before?.kind
  if (kind === 'tcp' || kind === 'tls' || kind === 'certificate') {
    const known = before === undefined || before.kind === 'http' ? undefined : before
    const at = sent.url ? toHostAndPort(sent.url) : known
    const { host = '', port = 0 } = at ?? {}
    if (kind === 'tcp') return { kind, host, port }
    const warnDays = before?.kind === 'certificate' ? before.warnDays : defaultWarnDays
    return { kind: 'certificate', host, port, warnDays: sent.certificateWarnDays ?? warnDays }
  }
  const http = before?.kind === 'http' ? before : undefined
  return {
    kind: 'http',
    url: sent.url ?? http?.url ?? '',
    method: sent.method ?? http?.method ?? 'GET',
    headers: sent.headers ?? http?.headers ?? [],
    body: sent.body ?? http?.body ?? '',
    expectedStatus: sent.expectedStatus ?? http?.expectedStatus ?? '2xx',
    expectedText: sent.expectedText ?? http?.expectedText ?? '',
    followsRedirects: sent.followsRedirects ?? http?.followsRedirects ?? true,
  }
}

/** The host and port of `tcp://…` or `tls://…`; TLS has a default port. */
function toHostAndPort(url: string) {
  const at = url.slice('tcp://'.length).replace(/\/$/, '')
  return parseHostAndPort(at) ?? (url.startsWith('tls:') ? parseHostAndPort(`${at}:443`) : undefined)
}

/** Sentry's names of the settings. */
const fieldNames: Readonly<Record<string, string>> = {
  timeoutSeconds: 'timeoutMs',
  failureThreshold: 'downtimeThreshold',
  host: 'url',
  port: 'url',
  warnDays: 'certificateWarnDays',
}

/**
 * Converts an uptime monitor to Sentry's format; for callers who may not configure it, without its headers,
 * its body and the query of its URL.
 */
export function toUptimeJson(
  monitor: ListedMonitor & { settings: UptimeSettings },
  { environments, users, canConfigure, badgeUrlOf }: MonitorExtras,
): v.InferOutput<typeof uptimeAnswer> {
  const { id, name, project, settings, isPaused, isMuted } = monitor
  const isSecret = !canConfigure(monitor.projectId)
  const { target } = settings
  const http = target.kind === 'http' ? target : undefined
  const isFailing = environments.some(({ monitorId, state }) => monitorId === id && state.isFailing)
  const address = isSecret ? formatPublicTarget(target) : formatUptimeTarget(target)
  return {
    id,
    projectSlug: project.slug,
    environment: settings.environment,
    name,
    status: isPaused ? 'disabled' : 'active',
    uptimeStatus: isFailing ? 2 : 1,
    mode: 1,
    url: http === undefined ? `${target.kind === 'tcp' ? 'tcp' : 'tls'}://${address}` : address,
    method: http?.method ?? null,
    headers: isSecret ? [] : (http?.headers ?? []),
    body: isSecret ? null : (http?.body ?? null),
    intervalSeconds: settings.intervalSeconds,
    timeoutMs: settings.timeoutSeconds * 1_000,
    downtimeThreshold: settings.failureThreshold,
    recoveryThreshold: settings.recoveryThreshold,
    traceSampling: false,
    owner: toOwnerJson(settings.owner, users),
    badgeUrl: badgeUrlOf(monitor),
    isMuted,
    checkKind: target.kind,
    expectedStatus: http?.expectedStatus ?? null,
    expectedText: http?.expectedText ?? null,
    followsRedirects: http?.followsRedirects ?? null,
    certificateWarnDays: target.kind === 'certificate' ? target.warnDays : null,
  }
}

/** Sentry's names of reasons; other reasons map to its `failure`. */
const reasonNames: Partial<Record<CheckReason, string>> = {
  dns: 'dns_error',
  tls: 'tls_error',
  timeout: 'timeout',
  connection: 'connection_error',
  refused: 'connection_error',
  redirect: 'redirect_error',
}

/** Converts the result of a check to Sentry's format. */
export function toUptimeCheckJson(
  { id, at, slotAt, status, seen, durationMs, traceId }: CheckInRecord,
  environment: string,
): v.InferOutput<typeof uptimeCheckAnswer> {
  const { reason, httpStatus } = seen ?? {}
  return {
    uptimeCheckId: id,
    environment,
    timestamp: new Date(at).toISOString(),
    scheduledCheckTime: slotAt === undefined ? null : new Date(slotAt).toISOString(),
    checkStatus: status === 'ok' ? 'success' : status === 'unknown' ? 'missed_window' : 'failure',
    checkStatusReason: reason === undefined ? null : (reasonNames[reason] ?? 'failure'),
    httpStatusCode: httpStatus ?? null,
    durationMs: durationMs ?? null,
    traceId: traceId ?? null,
  }
}
