import * as v from 'valibot'
import { ruleFields } from '#alerts/rule.ts'
import type { AlertThreshold } from '#alerts/rule.ts'
import { bucketOf } from '#alerts/threshold.ts'
import { limits } from '#server/limits.ts'
import type { StatementSource } from '#server/store/engine/engine.ts'
import type { IssueCounters } from '#server/store/issues/counters.ts'
import { addUserHashes } from './window-users.ts'

/** SQL for the rules with thresholds and the projects they apply to. */
export const watchingRulesSql = `SELECT p.id AS project_id, r.rule FROM alert_rules r
  JOIN projects p ON p.organization_id = r.organization_id AND (r.project_id IS NULL OR r.project_id = p.id)
  WHERE r.rule LIKE '%"threshold":{%'`

/** The statements that count for thresholds. */
export type WindowStatements = ReturnType<typeof prepareWindowStatements>

/** Prepares the statements on the writer's connection. */
export function prepareWindowStatements({ connection, engine }: StatementSource) {
  return {
    listWatchingRules: connection.prepare(watchingRulesSql),
    addWindowEvents: engine.prepareWrite(
      `INSERT INTO alert_windows (project_id, window_ms, bucket_at, issue_id, event_count) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (project_id, window_ms, bucket_at, issue_id)
       DO UPDATE SET event_count = alert_windows.event_count + excluded.event_count`,
    ),
    readWindowUsers: engine.prepareRead(
      `SELECT user_hashes FROM alert_windows
       WHERE project_id = ? AND window_ms = ? AND bucket_at = ? AND issue_id = ?`,
    ),
    sumWindowUsers: engine.prepareRead(
      `SELECT coalesce(sum(length(user_hashes)), 0) AS user_bytes FROM alert_windows
       WHERE project_id = ? AND window_ms = ? AND bucket_at = ?`,
    ),
    addWindowUsers: engine.prepareWrite(
      `INSERT INTO alert_windows (project_id, window_ms, bucket_at, issue_id, event_count, user_hashes)
       VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (project_id, window_ms, bucket_at, issue_id)
       DO UPDATE SET event_count = alert_windows.event_count + excluded.event_count,
         user_hashes = excluded.user_hashes`,
    ),
  }
}

/** Counts events and users of issues in the windows of their projects' rules. */
export interface WindowCounter {
  /** Adds the counts of an issue. Call inside the transaction that counts it. */
  add(issue: { projectId: number; issueId: number }, counters: IssueCounters): void
}

/** A window of a project. */
interface WatchedWindow {
  windowMs: number
  hasUsers: boolean
  /** The start of the current bucket, and the issues in it. */
  bucketAt: number
  issueIds: Set<number>
  /** Bytes of user hashes in this bucket; undefined until they are summed up. */
  userBytes: number | undefined
}

const watching = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ isEnabled: v.boolean(), threshold: ruleFields.entries.threshold }),
)

/** The threshold of an enabled rule, given as JSON; undefined also for a rule that cannot be read. */
function parseWatching(rule: string): AlertThreshold | undefined {
  const { success, output } = v.safeParse(watching, rule)
  return success && output.isEnabled ? output.threshold : undefined
}

/** The lengths of the windows of rules, given as JSON, in milliseconds. */
export function listWindowLengths(rules: readonly string[]): number[] {
  return [...new Set(rules.flatMap((rule) => parseWatching(rule)?.windowMs ?? []))]
}

/** The id under which a part of an issue is counted: negative, so that no comparison reads it. */
export function windowIdOfPart(partId: number): number {
  return -Math.abs(partId)
}

/** Creates a counter, which reads the rules every `limits.alertWatchMs`. */
export function createWindowCounter(statements: WindowStatements, clock: () => number): WindowCounter {
  let readAt: number | undefined
  let byProject = new Map<number, WatchedWindow[]>()
  /** In all windows of all projects. */
  let watchedCount = 0

  const watchedOf = (projectId: number, now: number): WatchedWindow[] => {
    if (readAt === undefined || Math.abs(now - readAt) >= limits.alertWatchMs) {
      byProject = listWatched(statements, byProject)
      forgetPast(byProject, now)
      watchedCount = sumIssues(byProject)
      readAt = now
    }
    return byProject.get(projectId) ?? []
  }

  return {
    add({ projectId, issueId }, counters) {
      const now = clock()
      for (const window of watchedOf(projectId, now)) {
        const { windowMs, hasUsers, issueIds } = window
        const bucketAt = bucketOf(windowMs, now)
        if (window.bucketAt !== bucketAt) {
          window.bucketAt = bucketAt
          watchedCount -= issueIds.size
          issueIds.clear()
          window.userBytes = undefined
        }
        if (!issueIds.has(issueId)) {
          if (issueIds.size >= limits.alertWatchedIssues || watchedCount >= limits.alertWatchedIssuesInAll)
            continue
          issueIds.add(issueId)
          watchedCount += 1
        }
        const key = [projectId, windowMs, bucketAt, issueId]
        const users = hasUsers ? addUsers(statements, { window, key }, counters) : undefined
        if (users === undefined) statements.addWindowEvents.run(...key, countEvents(counters))
        else statements.addWindowUsers.run(...key, countEvents(counters), users)
      }
    },
  }
}

function sumUsers({ sumWindowUsers }: WindowStatements, key: readonly number[]): number {
  return Number(sumWindowUsers.get(...key.slice(0, 3))?.['user_bytes'] ?? 0)
}

/**
 * The users of an issue in a bucket including new ones; undefined if there are no new ones, or if the bucket
 * has reached `limits.alertWindowUserBytes`, which `listFullWindows` reports.
 */
function addUsers(
  statements: WindowStatements,
  { window, key }: { window: WatchedWindow; key: readonly number[] },
  { userHashes }: IssueCounters,
): Uint8Array | undefined {
  if (userHashes.size === 0) return undefined
  window.userBytes ??= sumUsers(statements, key)
  if (window.userBytes >= limits.alertWindowUserBytes) return undefined
  const row = statements.readWindowUsers.get(...key)?.['user_hashes']
  const known = row instanceof Uint8Array ? row : undefined
  const users = addUserHashes(known, userHashes)
  if (users !== undefined) window.userBytes += users.length - (known?.length ?? 0)
  return users
}

function listWatched(
  { listWatchingRules }: WindowStatements,
  former: ReadonlyMap<number, WatchedWindow[]>,
): Map<number, WatchedWindow[]> {
  const byProject = new Map<number, WatchedWindow[]>()
  for (const row of listWatchingRules.all()) {
    const threshold = parseWatching(String(row['rule']))
    if (threshold === undefined) continue
    const projectId = Number(row['project_id'])
    const { windowMs, of } = threshold
    const windows = byProject.get(projectId) ?? []
    byProject.set(projectId, windows)
    const known = windows.find((each) => each.windowMs === windowMs)
    if (known !== undefined) {
      known.hasUsers ||= of === 'users'
      continue
    }
    const counted = former.get(projectId)?.find((each) => each.windowMs === windowMs)
    const { bucketAt = 0, issueIds = new Set<number>() } = counted ?? {}
    // Read again, because other processes also count, and transactions may have been rolled back.
    windows.push({ windowMs, hasUsers: of === 'users', bucketAt, issueIds, userBytes: undefined })
  }
  return byProject
}

/** Otherwise a project that receives no more events would keep the issues of a past bucket. */
function forgetPast(byProject: ReadonlyMap<number, WatchedWindow[]>, now: number): void {
  for (const window of [...byProject.values()].flat())
    if (window.bucketAt !== bucketOf(window.windowMs, now)) window.issueIds.clear()
}

function sumIssues(byProject: ReadonlyMap<number, WatchedWindow[]>): number {
  return [...byProject.values()].flat().reduce((sum, { issueIds }) => sum + issueIds.size, 0)
}

function countEvents({ hours }: IssueCounters): number {
  let count = 0
  for (const ofEnvironment of hours.values()) for (const inHour of ofEnvironment.values()) count += inHour
  return count
}
