import type { AlertSubject } from '#alerts/decide.ts'
import { numbersOf } from '#server/store/engine/per-engine.ts'
import type { Db } from '#server/store/schema/database.ts'

/** The data of an issue that rules evaluate, without that of its transition. */
export interface AlertIssueState extends Omit<AlertSubject, 'tags' | 'path'> {
  issueId: number
  assigneeId: string | null
}

/**
 * The issues of a project by the issue ids in the queue; for an issue that was merged since, the issue it was
 * merged into. One round of statements, plus another one if some were merged, each by primary key: a
 * condition for "an id, or the id of a part" would read every issue of the project.
 */
export async function readAlertIssues(
  db: Db,
  { projectId, issueIds }: { projectId: number; issueIds: readonly number[] },
): Promise<Map<number, AlertIssueState>> {
  const found = await readIssuesOnce(db, { projectId, issueIds })
  const missing = issueIds.filter((id) => !found.has(id))
  if (missing.length === 0) return found
  // After a merge between the statements, the issue is found as a merged one.
  return new Map([...found, ...(await readIssuesOnce(db, { projectId, issueIds: missing }))])
}

async function readIssuesOnce(
  db: Db,
  { projectId, issueIds }: { projectId: number; issueIds: readonly number[] },
): Promise<Map<number, AlertIssueState>> {
  const [parts, own] = await Promise.all([
    db
      .selectFrom('issue_parts')
      .select(['id', 'issue_id'])
      .where('project_id', '=', projectId)
      .where('id', 'in', numbersOf(JSON.stringify(issueIds)))
      .execute(),
    readIssueRows(db, projectId, issueIds),
  ])
  const others = new Set(parts.map(({ issue_id }) => issue_id)).difference(new Set(issueIds))
  const ofParts = others.size === 0 ? undefined : await readIssueRows(db, projectId, [...others])
  const issues = [...own.issues, ...(ofParts?.issues ?? [])]
  const environments = [...own.environments, ...(ofParts?.environments ?? [])]
  const targets = new Map(issueIds.map((id) => [id, id]))
  for (const { id, issue_id } of parts) targets.set(id, issue_id)
  const environmentsOf = Map.groupBy(environments, ({ issue_id }) => issue_id)
  const states = new Map(
    issues.map(({ id, title, culprit, level, ...row }): [number, AlertIssueState] => [
      id,
      {
        issueId: id,
        title,
        culprit,
        level,
        firstSeenAt: row.first_seen_at,
        environments: (environmentsOf.get(id) ?? []).map(({ environment }) => environment),
        release: row.last_release ?? undefined,
        isAssigned: row.assignee_id !== null,
        assigneeId: row.assignee_id,
      },
    ]),
  )
  return new Map(
    [...targets].flatMap(([id, target]) => {
      const state = states.get(target)
      return state === undefined ? [] : [[id, state] as const]
    }),
  )
}

async function readIssueRows(db: Db, projectId: number, issueIds: readonly number[]) {
  const ids = JSON.stringify(issueIds)
  const [issues, environments] = await Promise.all([
    db
      .selectFrom('issues')
      .select(['id', 'title', 'culprit', 'level', 'first_seen_at', 'last_release', 'assignee_id'])
      .where('project_id', '=', projectId)
      .where('id', 'in', numbersOf(ids))
      .execute(),
    db
      .selectFrom('issue_environments')
      .select(['issue_id', 'environment'])
      .where('project_id', '=', projectId)
      .where('issue_id', 'in', numbersOf(ids))
      .execute(),
  ])
  return { issues, environments }
}

/** An issue with the most frequent tags of its events, for a transition that no single event caused. */
export type IssueSubject = AlertIssueState & { tags: Record<string, string>; path: string }

/** Issues with the most frequent tags of their events. Five statements in parallel. */
export async function readIssueSubjects(
  db: Db,
  { projectId, issueIds }: { projectId: number; issueIds: readonly number[] },
): Promise<Map<number, IssueSubject>> {
  const ids = [...new Set(issueIds)]
  if (ids.length === 0) return new Map()
  const tagRows = db
    .selectFrom('issue_tags')
    .select(['issue_id', 'key', 'value'])
    .where('project_id', '=', projectId)
    .where('issue_id', 'in', ids)
    .orderBy('event_count')
    .execute()
  const pathRows = db
    .selectFrom('issue_traits')
    .select(['issue_id', 'value'])
    .where('project_id', '=', projectId)
    .where('issue_id', 'in', ids)
    .where('key', '=', 'stack.filename')
    .execute()
  const [states, tags, paths] = await Promise.all([
    readAlertIssues(db, { projectId, issueIds: ids }),
    tagRows,
    pathRows,
  ])
  const tagsOf = Map.groupBy(tags, ({ issue_id }) => issue_id)
  const pathsOf = Map.groupBy(paths, ({ issue_id }) => issue_id)
  return new Map(
    [...states].map(([id, state]): [number, IssueSubject] => [
      id,
      Object.assign({}, state, {
        tags: Object.fromEntries((tagsOf.get(id) ?? []).map(({ key, value }) => [key, value])),
        path: (pathsOf.get(id) ?? []).map(({ value }) => value).join('\n'),
      }),
    ]),
  )
}
