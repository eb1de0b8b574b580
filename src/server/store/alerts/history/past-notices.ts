import { listCrashFreeChanges } from '#alerts/crash-free.ts'
import { toFirstEventNotice, toReleaseNotice, type AlertNotice } from '#alerts/notice.ts'
import type { AlertRule } from '#alerts/rule.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import { listCrashSteps, toRuleNotice } from '#server/store/alerts/crash-free.ts'
import { parseNotice } from '#server/store/alerts/queue.ts'
import { isDecisionOf, selectDecidedRules } from '#server/store/alerts/rule-sets.ts'
import type { Db } from '#server/store/schema/database.ts'

/** A past transition of a project. `at` in Unix milliseconds. */
export interface PastNotice {
  projectId: number
  kind: AlertTransition
  notice: AlertNotice
  at: number
}

interface PastOf {
  rule: AlertRule
  projectId: number
  /** Unix milliseconds. */
  since: number
}

/**
 * The transitions of a project since an instant, in order of time. For ingest problems, those that the
 * built-in rule decided about. One statement per kind of transition.
 */
export async function listPastNotices(db: Db, of: PastOf): Promise<PastNotice[]> {
  const { transitions } = of.rule
  const lists = await Promise.all([
    transitions.includes('release') ? listReleases(db, of) : [],
    transitions.includes('first_event') ? listFirstEvent(db, of) : [],
    transitions.some((each) => each.startsWith('trouble')) ? listTroubles(db, of) : [],
    of.rule.crashFree === undefined ? [] : listCrashFree(db, of, of.rule.crashFree),
  ])
  return lists.flat().toSorted((one, other) => one.at - other.at)
}

async function listReleases(db: Db, { projectId, since }: PastOf): Promise<PastNotice[]> {
  const rows = await db
    .selectFrom('releases')
    .select(['version', 'created_at'])
    .where('project_id', '=', projectId)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(limits.alertDryRunTransitions)
    .execute()
  const versions = rows.map(({ version }) => version)
  const environmentRows =
    versions.length === 0
      ? []
      : await db
          .selectFrom('release_environments')
          .select(['version', 'environment'])
          .where('project_id', '=', projectId)
          .where('version', 'in', versions)
          .execute()
  const rowsOf = Map.groupBy(environmentRows, ({ version }) => version)
  return rows.map(({ version, created_at: at }) => {
    const environments = (rowsOf.get(version) ?? []).map(({ environment }) => environment)
    return { projectId, kind: 'release', notice: toReleaseNotice(version, environments), at }
  })
}

/** The first issue of a project has the number 1. It may have been deleted. */
async function listFirstEvent(db: Db, { projectId, since }: PastOf): Promise<PastNotice[]> {
  const first = await db
    .selectFrom('issues')
    .select(['id', 'title', 'first_seen_at', 'first_release'])
    .where('project_id', '=', projectId)
    .where('number', '=', 1)
    .where('first_seen_at', '>=', since)
    .executeTakeFirst()
  if (first === undefined) return []
  const environmentRows = await db
    .selectFrom('issue_environments')
    .select('environment')
    .where('project_id', '=', projectId)
    .where('issue_id', '=', first.id)
    .limit(1)
    .execute()
  const notice = toFirstEventNotice({
    title: first.title,
    environment: environmentRows[0]?.environment ?? '',
    release: first.first_release ?? undefined,
  })
  return [{ projectId, kind: 'first_event', notice, at: first.first_seen_at }]
}

async function listTroubles(db: Db, { projectId, since }: PastOf): Promise<PastNotice[]> {
  const rows = await selectDecidedRules(db)
    .select(['d.kind', 'd.at', 'd.notice'])
    .where('d.project_id', '=', projectId)
    .where('d.issue_id', '=', 0)
    .where(isDecisionOf('trouble'))
    .where('d.decided_at', '>=', since)
    .orderBy('d.decided_at', 'desc')
    .limit(limits.alertDryRunTransitions)
    .execute()
  return rows.flatMap(({ kind, at, notice: text }): PastNotice[] => {
    const notice = parseNotice(text)
    if (notice === undefined) return []
    return [{ projectId, kind: kind === 'trouble' ? 'trouble' : 'trouble_over', notice, at }]
  })
}

async function listCrashFree(
  db: Db,
  { rule: { filters }, projectId, since }: PastOf,
  crashFree: NonNullable<AlertRule['crashFree']>,
): Promise<PastNotice[]> {
  const steps = await listCrashSteps(db, { crashFree, filters, projectId, since })
  const byRelease = Map.groupBy(steps, ({ release }) => release)
  return [...byRelease].flatMap(([release, ofRelease]) =>
    listCrashFreeChanges(crashFree, ofRelease).flatMap(({ at, change, counted }): PastNotice[] => {
      if (change === 'unknown') return []
      const notice = toRuleNotice({ ruleId: 'dry-run', crashFree, filters }, { release, counted })
      return [{ projectId, kind: change === 'low' ? 'crash_free' : 'crash_free_normal', notice, at }]
    }),
  )
}
