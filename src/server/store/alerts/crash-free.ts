import { sql } from 'kysely'
import { startOfCrashWindow, stepCrashFree, sumCrashes, toCrashFreeNotice } from '#alerts/crash-free.ts'
import type { CrashCount, CrashFreeChange, CrashStep } from '#alerts/crash-free.ts'
import type { AlertFilter, CrashFreeLimit } from '#alerts/rule.ts'
import { noFailures, type ProjectFailures } from '#server/store/project-failures.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { noIssueId, queueTransitions } from './queue.ts'
import { listAlertRules, type KnownRules, type StoredRule } from './rules.ts'

/** The value of `alert_troubles.kind`; the subject is the rule and the release. */
const stateKind = 'crash_free'

type CrashFreeRule = StoredRule & { crashFree: CrashFreeLimit }

/**
 * Compares the crash-free rates of projects with the thresholds of rules, and queues transitions for rates
 * that are too low or back to normal. One statement for each rule and project. Returns the number of queued
 * transitions. `now` in Unix milliseconds.
 */
export async function compareCrashFree(
  store: Store,
  {
    now,
    knownRules,
    failures = noFailures,
  }: { now: number; knownRules?: KnownRules; failures?: ProjectFailures },
): Promise<number> {
  const rules = await listAlertRules(store.db, undefined, knownRules)
  const watching = rules.flatMap((each): CrashFreeRule[] => {
    const { isEnabled, crashFree } = each.rule
    return isEnabled && crashFree !== undefined ? [{ ...each, crashFree }] : []
  })
  const states = await store.db
    .selectFrom('alert_troubles')
    .select(['project_id', 'subject'])
    .where('kind', '=', stateKind)
    .execute()
  if (watching.length === 0 && states.length === 0) return 0
  const projects = await store.db.selectFrom('projects').select(['id', 'organization_id']).execute()
  const watched = new Set<string>()
  let queuedCount = 0
  for (const rule of watching) {
    for (const { id: projectId, organization_id } of projects) {
      const isOfRule = rule.projectId === undefined || rule.projectId === projectId
      if (rule.organizationId !== organization_id || !isOfRule) continue
      watched.add(`${projectId} ${rule.id}`)
      const lowReleases = states.flatMap(({ project_id, subject }) => {
        const { ruleId, release } = parseSubject(subject)
        return project_id === projectId && ruleId === rule.id ? [release] : []
      })
      const compared = { rule, projectId, lowReleases: new Set(lowReleases), now }
      queuedCount += (await failures.attempt(projectId, () => compareProject(store, compared))) ?? 0
    }
  }
  await forgetStates(
    store,
    states.filter(({ project_id, subject }) => !watched.has(`${project_id} ${parseSubject(subject).ruleId}`)),
  )
  return queuedCount
}

/** Deletes states of rules that have since been deleted or disabled. */
async function forgetStates(
  store: Store,
  states: readonly { project_id: number; subject: string }[],
): Promise<void> {
  for (const { project_id, subject } of states)
    await store.writer
      .deleteFrom('alert_troubles')
      .where((is) => is.and({ project_id, kind: stateKind, subject }))
      .execute()
}

function toSubject(ruleId: string, release: string): string {
  return `${ruleId} ${release}`
}

/** Rule ids contain no spaces. The release is empty for the whole project. */
function parseSubject(subject: string): { ruleId: string; release: string } {
  const at = subject.indexOf(' ')
  return { ruleId: subject.slice(0, at), release: subject.slice(at + 1) }
}

async function compareProject(
  store: Store,
  {
    rule: { id: ruleId, rule, crashFree },
    projectId,
    lowReleases,
    now,
  }: { rule: CrashFreeRule; projectId: number; lowReleases: ReadonlySet<string>; now: number },
): Promise<number> {
  const since = startOfCrashWindow(crashFree, now)
  const steps = await listCrashSteps(store.db, { crashFree, filters: rule.filters, projectId, since })
  const byRelease = Map.groupBy(steps, ({ release }) => release)
  const changes = [...new Set([...byRelease.keys(), ...lowReleases])].flatMap((release): ReleaseChange[] => {
    const counted = sumCrashes(byRelease.get(release) ?? [])
    const change = stepCrashFree(crashFree, { isLow: lowReleases.has(release), counted })
    return change === undefined ? [] : [{ release, change, counted }]
  })
  if (changes.length === 0) return 0
  return store.writer.transaction().execute(async (tx) => {
    let queuedCount = 0
    for (const each of changes) {
      const key = { project_id: projectId, kind: stateKind, subject: toSubject(ruleId, each.release) }
      const isOwn = await writeState(tx, key, { change: each.change, now })
      if (!isOwn || each.change === 'unknown') continue
      const kind = each.change === 'low' ? 'crash_free' : 'crash_free_normal'
      const notice = toRuleNotice({ ruleId, crashFree, filters: rule.filters }, each)
      const cause = { ruleId, release: notice.release, notice }
      await queueTransitions(tx, [{ projectId, issueId: noIssueId, kind, at: now, cause }])
      queuedCount += 1
    }
    return queuedCount
  })
}

/** The result for a release, or with an empty name for the whole project. */
interface ReleaseChange {
  release: string
  change: CrashFreeChange
  counted: CrashCount
}

/** The notice for the filters of the rule, which counted only sessions that match them. */
export function toRuleNotice(
  {
    ruleId,
    crashFree,
    filters,
  }: { ruleId: string; crashFree: CrashFreeLimit; filters: readonly AlertFilter[] },
  { release, counted }: Pick<ReleaseChange, 'release' | 'counted'>,
) {
  const named = (kind: 'environment' | 'release') =>
    filters.flatMap((each) => (each.kind === kind && each.is ? [each.value] : []))
  const [only] = named('release')
  const notice = toCrashFreeNotice(crashFree, {
    counted,
    release: release === '' ? only : release,
    subject: toSubject(ruleId, release),
  })
  return { ...notice, environments: named('environment') }
}

/** Returns whether this process made the change, rather than another one. */
async function writeState(
  tx: Tx,
  key: { project_id: number; kind: string; subject: string },
  { change, now }: { change: CrashFreeChange; now: number },
): Promise<boolean> {
  if (change === 'low') {
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('alert_troubles')
      .values({ ...key, since_at: now, last_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n
  }
  const { numDeletedRows } = await tx
    .deleteFrom('alert_troubles')
    .where((is) => is.and(key))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * The counts for crash-free rates since an instant, by hour or day and by release, in order of time. A user
 * counts once per release, environment and day. One statement.
 */
export async function listCrashSteps(
  db: Db,
  {
    crashFree: { of, isOfRelease },
    filters,
    projectId,
    since,
  }: { crashFree: CrashFreeLimit; filters: readonly AlertFilter[]; projectId: number; since: number },
): Promise<(CrashStep & { release: string })[]> {
  const [table, at, count, crashed] =
    of === 'sessions'
      ? (['session_hours', 'hour', 'session_count', 'crashed_count'] as const)
      : (['session_days', 'day', 'user_count', 'crashed_user_count'] as const)
  const conditions = filters.flatMap((filter) => {
    if (filter.kind !== 'environment' && filter.kind !== 'release') return []
    const column = sql.ref(filter.kind === 'environment' ? 's.environment' : 's.version')
    return [filter.is ? sql`${column} = ${filter.value}` : sql`${column} <> ${filter.value}`]
  })
  const release = isOfRelease ? sql<string>`s.version` : sql<string>`''`
  const where = sql.join(
    [
      sql`s.project_id = ${projectId}`,
      sql`s.last_session_at >= ${since}`,
      sql`c.${sql.ref(at)} >= ${since}`,
      ...conditions,
    ],
    sql` AND `,
  )
  const { rows } = await sql<{ at: number; release: string; count: number; crashed: number }>`
    SELECT c.${sql.ref(at)} AS at, ${release} AS release, sum(c.${sql.ref(count)}) AS count,
      sum(c.${sql.ref(crashed)}) AS crashed
    FROM session_series s
    JOIN ${sql.table(table)} c ON c.project_id = s.project_id AND c.series_id = s.id
    WHERE ${where}
    GROUP BY 1, 2 ORDER BY 1, 2`.execute(db)
  return rows.map((row) => ({
    at: row.at,
    release: row.release,
    count: row.count,
    crashedCount: row.crashed,
  }))
}
