import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { isDataCategory } from '#protocol/data-category.ts'
import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { issueTrackers } from '#source-links/issue-tracker.ts'
import { codeHosts } from '#source-links/source-link.ts'

/** An integer with a minimum. */
const count = (lowest: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(lowest))

const WindowSeconds = v.pipe(count(1), v.maxValue(limits.settingsWindowSeconds))

const RateLimit = v.object({ quantity: count(0), windowSeconds: WindowSeconds })

/** The burst size, refilled evenly over the window; 0 rejects everything. */
export type RateLimit = Readonly<v.InferOutput<typeof RateLimit>>

const RateLimits = v.record(
  v.pipe(
    v.string(),
    v.check((name) => name === 'all' || isDataCategory(name)),
  ),
  RateLimit,
)

/**
 * Limits by Relay's data category; `all` is for the items of every category together. Attachments are counted
 * in bytes, everything else in items. A category without a limit is not limited.
 */
export type RateLimits = Readonly<v.InferOutput<typeof RateLimits>>

const RateLimitSettings = v.object({
  /** For all items of the project together. */
  project: v.optional(RateLimits, {}),
  /** For each key, unless the key has its own limits. */
  key: v.optional(RateLimits, {}),
  /**
   * For each client address that sends to the project; for IPv6, each /64 network. By default
   * `limits.addressRateLimit` for every address but this machine's own.
   */
  address: v.optional(RateLimits),
})

const SpikeProtectionSettings = v.object({
  isOn: v.optional(v.boolean(), true),
  /** Events of one issue that are stored in one window. */
  fullEvents: v.optional(count(1), limits.spikeProtectionFullEvents),
  windowSeconds: v.optional(WindowSeconds, limits.spikeProtectionWindowSeconds),
  /** Of further events, one in this many is stored. All of them are counted. */
  sampleEvery: v.optional(count(1), limits.spikeProtectionSampleEvery),
})

/** The event counts above which events of an issue are only counted. */
export type SpikeProtectionSettings = Readonly<v.InferOutput<typeof SpikeProtectionSettings>>

/** Origin patterns: `*`, `*.example.com`, `https://example.com:8443`. An empty list rejects all browsers. */
const AllowedOrigins = v.array(v.string())

const RetentionSettings = v.object({
  /** Days after which an event is deleted. */
  days: v.optional(v.pipe(count(1), v.maxValue(limits.retentionMaxDays)), limits.retentionDays),
  /** Maximum number of stored events. */
  events: v.optional(count(1), limits.retentionEvents),
})

/** How much data of a project is stored, and for how long. */
export type RetentionSettings = Readonly<v.InferOutput<typeof RetentionSettings>>

/** A list of entered lines. */
const Lines = v.optional(v.array(v.string()), [])

const FilterSettings = v.object({
  /** Filters that differ from their defaults, by their reasons. */
  rules: v.optional(v.record(v.string(), v.boolean()), {}),
  ignoreErrors: Lines,
  errorMessages: Lines,
  releases: Lines,
  clientAddresses: Lines,
  transactions: Lines,
  cspSources: Lines,
})

const GroupingSettings = v.object({
  /** In Sentry's syntax, one rule per line. */
  fingerprintRules: v.optional(v.string(), ''),
  stackTraceRules: v.optional(v.string(), ''),
})

const ScrubSettings = v.object({
  isOn: v.optional(v.boolean(), true),
  /** Rules that differ from their defaults, by their names in `server/scrub`. */
  rules: v.optional(v.record(v.string(), v.boolean()), {}),
  /** Names of fields whose values are secret, and names of fields that are excluded. */
  fields: v.optional(v.array(v.string()), []),
  excludedFields: v.optional(v.array(v.string()), []),
  ipAddresses: v.optional(v.picklist(['keep', 'remove']), 'keep'),
})

const IngestSettings = v.object({
  /** False: all requests with a key of the project are rejected, as with a disabled key. */
  isOn: v.optional(v.boolean(), true),
})

const ForwardingSettings = v.object({
  /**
   * False: items of the project are only forwarded to its upstreams. Without upstreams they are stored
   * nevertheless.
   */
  isStoredHere: v.optional(v.boolean(), true),
})

const SourceLinkSettings = v.object({
  host: v.optional(v.picklist(codeHosts), 'github'),
  /** The URL of the repository; empty if frames have no links. */
  url: v.optional(v.string(), ''),
  branch: v.optional(v.string(), 'main'),
  roots: v.optional(v.array(v.object({ from: v.string(), to: v.string() })), []),
})

const IssueTrackerSettings = v.object({
  kind: v.optional(v.picklist(['repository', 'none', ...issueTrackers]), 'repository'),
  /** The URL of the repository, the Jira site or the Linear team. */
  url: v.optional(v.string(), ''),
  jiraProject: v.optional(v.string(), ''),
  jiraType: v.optional(v.string(), ''),
  jiraEmail: v.optional(v.string(), ''),
  /** The token for creating issues, encrypted; empty: issues are created in a form of the tracker. */
  sealedToken: v.optional(v.string(), ''),
  /** The secret with which Linear signs its webhooks, encrypted. */
  sealedWebhookSecret: v.optional(v.string(), ''),
  /** Whether closing the tracker's issue also resolves the linked issue. */
  resolvesHere: v.optional(v.boolean(), false),
})

const OwnershipSettings = v.object({
  /** In Sentry's syntax, one rule per line. */
  rules: v.optional(v.string(), ''),
  /** The contents of a CODEOWNERS file. */
  codeOwners: v.optional(v.string(), ''),
  /** Whether new issues are assigned to the first owner that is a user. */
  isAutoAssigned: v.optional(v.boolean(), false),
})

const TraceSettings = v.object({
  /**
   * `off`: transactions and spans are counted as not stored. `figures`: only their figures are stored.
   * `samples`: traces are stored and thinned, too.
   */
  mode: v.optional(v.picklist(['off', 'figures', 'samples']), 'samples'),
  /** Maximum megabytes of compressed traces. */
  megabytes: v.optional(v.pipe(count(1), v.maxValue(limits.traceMaxMegabytes)), limits.traceMegabytes),
  /** A transaction up to this duration satisfies its user: the threshold of Apdex. */
  apdexMs: v.optional(v.pipe(count(1), v.maxValue(limits.problemMaxMs)), limits.apdexMs),
})

/** The settings for the traces of a project. */
export type TraceSettings = Readonly<v.InferOutput<typeof TraceSettings>>

const isOn = v.optional(v.boolean(), true)
const problemCount = (preset: number) =>
  v.optional(v.pipe(count(2), v.maxValue(limits.problemMaxCount)), preset)
const problemMs = (preset: number) => v.optional(v.pipe(count(1), v.maxValue(limits.problemMaxMs)), preset)

/** Sentry's defaults. */
const PerformanceIssueSettings = v.object({
  nPlusOneQueries: v.optional(v.object({ isOn, count: problemCount(5), totalMs: problemMs(50) }), {}),
  slowQueries: v.optional(v.object({ isOn, durationMs: problemMs(500) }), {}),
  nPlusOneRequests: v.optional(v.object({ isOn, count: problemCount(5), totalMs: problemMs(300) }), {}),
})

/** The performance problems of traces that become issues. */
export type PerformanceIssueSettings = Readonly<v.InferOutput<typeof PerformanceIssueSettings>>

/** The owners of parts of a project's code. */
export type OwnershipSettings = Readonly<v.InferOutput<typeof OwnershipSettings>>

/**
 * The document with a project's settings. To add a part, write a schema whose every field has a default, and
 * a line here: a part that cannot be parsed, because another version wrote it, has its defaults and does not
 * affect other parts. The names of the parts are stored: `intake` turns ingest on and off, `spikeProtection`
 * configures spike protection.
 */
const Document = v.object({
  intake: v.optional(v.fallback(IngestSettings, v.parse(IngestSettings, {})), {}),
  rateLimits: v.optional(v.fallback(RateLimitSettings, v.parse(RateLimitSettings, {})), {}),
  spikeProtection: v.optional(v.fallback(SpikeProtectionSettings, v.parse(SpikeProtectionSettings, {})), {}),
  traces: v.optional(v.fallback(TraceSettings, v.parse(TraceSettings, {})), {}),
  performanceIssues: v.optional(
    v.fallback(PerformanceIssueSettings, v.parse(PerformanceIssueSettings, {})),
    {},
  ),
  retention: v.optional(v.fallback(RetentionSettings, v.parse(RetentionSettings, {})), {}),
  filters: v.optional(v.fallback(FilterSettings, v.parse(FilterSettings, {})), {}),
  grouping: v.optional(v.fallback(GroupingSettings, v.parse(GroupingSettings, {})), {}),
  scrubbing: v.optional(v.fallback(ScrubSettings, v.parse(ScrubSettings, {})), {}),
  allowedOrigins: v.optional(v.fallback(AllowedOrigins, ['*']), ['*']),
  sourceLinks: v.optional(v.fallback(SourceLinkSettings, v.parse(SourceLinkSettings, {})), {}),
  ownership: v.optional(v.fallback(OwnershipSettings, v.parse(OwnershipSettings, {})), {}),
  issueTracker: v.optional(v.fallback(IssueTrackerSettings, v.parse(IssueTrackerSettings, {})), {}),
  forwarding: v.optional(v.fallback(ForwardingSettings, v.parse(ForwardingSettings, {})), {}),
})

/** The settings of a project including defaults. Immutable: compare objects to detect a change. */
export type ProjectSettings = Readonly<v.InferOutput<typeof Document>>

/** The default settings of a project. */
export const defaultProjectSettings: ProjectSettings = v.parse(Document, {})

const readDocuments = new BoundedMap<string, ProjectSettings>(limits.cachedProjectSettings)

/**
 * Parses the document in `projects.settings`. Unreadable fields have their defaults. Equal documents return
 * the same object: all keys are read again after any write to the store, and patterns are compiled once per
 * object.
 */
export function parseProjectSettings(text: string): ProjectSettings {
  return readDocuments.getOrCreate(text, () => v.parse(Document, parseObject(text)))
}

const KeyDocument = v.object({
  rateLimits: v.optional(v.fallback(RateLimits, {}), {}),
  /** The project's id in the other tracker, for an imported key whose project has a different id here. */
  formerProjectId: v.optional(v.fallback(v.optional(count(1)), undefined)),
  /** When the key was imported (Unix ms). Absent for other keys, and for keys imported by 0.2.0. */
  importedAt: v.optional(v.fallback(v.optional(count(1)), undefined)),
  /** When an imported key was first used here (Unix ms). */
  firstUsedAt: v.optional(v.fallback(v.optional(count(1)), undefined)),
})

/**
 * The settings of a key: its own limits, which replace the project's limits per key, and for an imported key
 * the other project id of its DSN and the times of its cut-over.
 */
export type KeySettings = Readonly<v.InferOutput<typeof KeyDocument>>

/** Parses the document in `project_keys.settings`. Unreadable fields have their defaults. */
export function parseKeySettings(text: string): KeySettings {
  return v.parse(KeyDocument, parseObject(text))
}

/** The settings of a project; undefined if it does not exist. One statement. */
export async function findProjectSettings(db: Db, projectId: number): Promise<ProjectSettings | undefined> {
  const row = await db
    .selectFrom('projects')
    .select('settings')
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row && parseProjectSettings(row.settings)
}

/** The settings of a project. One statement. Throws if the project does not exist. */
export async function getProjectSettings(db: Db, projectId: number): Promise<ProjectSettings> {
  const settings = await findProjectSettings(db, projectId)
  if (settings === undefined) throw new Error(`There is no project ${projectId}.`)
  return settings
}

/**
 * Changes some parts of a project's settings and returns all of them. Only differences from the defaults are
 * stored. Servers in other processes see the change within `limits.projectKeysMaxAgeMs`; in this one call
 * `projectKeys.refresh()`. If `change` returns undefined, nothing is changed. Throws if there is no such
 * project.
 */
export async function updateProjectSettings(
  store: Store,
  projectId: number,
  change: (settings: ProjectSettings) => Partial<ProjectSettings> | undefined,
): Promise<ProjectSettings> {
  return store.writer.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('projects')
      .select('settings')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    const before = parseProjectSettings(row.settings)
    const changed = change(before)
    if (changed === undefined) return before
    const after = v.parse(Document, { ...before, ...changed })
    const document = { ...onlyUnknown(parseObject(row.settings)), ...toSettingsDocument(after) }
    await tx
      .updateTable('projects')
      .set({ settings: JSON.stringify(document) })
      .where('id', '=', projectId)
      .execute()
    return after
  })
}

/** The parts that another version wrote, which may run again. */
function onlyUnknown(document: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([part]) => !(part in defaultProjectSettings)))
}

/** The settings that differ from the defaults, for `projects.settings`. */
export function toSettingsDocument(settings: Partial<ProjectSettings>): Record<string, unknown> {
  const defaults: Record<string, unknown> = defaultProjectSettings
  const document: Record<string, unknown> = {}
  for (const [part, value] of Object.entries(settings)) {
    const different = differenceOf(value, defaults[part])
    if (different !== undefined) document[part] = different
  }
  return document
}

/** The difference of a part from its default; undefined if there is none. For an object, by field. */
function differenceOf(value: unknown, standard: unknown): unknown {
  if (isDeepStrictEqual(value, standard)) return undefined
  if (!isPlainObject(value) || !isPlainObject(standard)) return value
  return Object.fromEntries(
    Object.entries(value).filter(([field, set]) => !isDeepStrictEqual(set, standard[field])),
  )
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isPlainObject(value) ? value : {}
  } catch {
    return {}
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
