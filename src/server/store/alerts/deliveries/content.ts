import { listAlertRules } from '#server/store/alerts/rules.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { issueColumns, toIssueSummary } from '#server/store/issues/row.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { DeliveryTransition } from './message.ts'

/** The current data of a message. */
export interface DeliveryContent {
  organization: string
  /** By `PROJECT:ISSUE` of the transition. For a merged issue, the issue it was merged into. */
  issues: ReadonlyMap<string, DeliveredIssue>
  /** By project id, for transitions of projects. */
  projects: ReadonlyMap<number, { slug: string; name: string }>
  /** Names of rules by id. */
  rules: ReadonlyMap<string, string>
}

export interface DeliveredIssue {
  summary: IssueSummary
  environments: readonly string[]
}

/** Reads the issues, the organization and the rules of a message. Issues that were deleted are left out. */
export async function readDeliveryContent(
  db: Db,
  organizationId: number,
  transitions: readonly DeliveryTransition[],
): Promise<DeliveryContent> {
  const ofIssues = transitions.filter(({ notice }) => notice === undefined)
  const byProject = Map.groupBy(ofIssues, ({ projectId }) => projectId)
  const ofProjects = transitions.filter(({ notice }) => notice !== undefined)
  const [organization, rules, projects, ...issues] = await Promise.all([
    db.selectFrom('organizations').select('name').where('id', '=', organizationId).executeTakeFirst(),
    listAlertRules(db, organizationId),
    readProjectNames(db, [...new Set(ofProjects.map(({ projectId }) => projectId))]),
    ...[...byProject].map(([projectId, ofProject]) =>
      readIssues(db, projectId, [...new Set(ofProject.map(({ issueId }) => issueId))]),
    ),
  ])
  return {
    organization: organization?.name ?? '',
    issues: new Map(issues.flat()),
    projects: new Map(projects.map(({ id, slug, name }) => [id, { slug, name }])),
    rules: new Map(rules.map(({ id, rule }) => [id, rule.name])),
  }
}

/** The key of a transition's issue in `DeliveryContent.issues`. */
export function toIssueKey({ projectId, issueId }: { projectId: number; issueId: number }): string {
  return `${projectId}:${issueId}`
}

async function readProjectNames(
  db: Db,
  ids: readonly number[],
): Promise<{ id: number; slug: string; name: string }[]> {
  if (ids.length === 0) return []
  return db.selectFrom('projects').select(['id', 'slug', 'name']).where('id', 'in', ids).execute()
}

/** Three statements, the second and the third in parallel. */
async function readIssues(
  db: Db,
  projectId: number,
  issueIds: readonly number[],
): Promise<[string, DeliveredIssue][]> {
  const parts = await db
    .selectFrom('issue_parts')
    .select(['id', 'issue_id'])
    .where('project_id', '=', projectId)
    .where('id', 'in', issueIds)
    .execute()
  const targetOf = new Map(parts.map(({ id, issue_id }) => [id, issue_id]))
  const targets = issueIds.map((id) => targetOf.get(id) ?? id)
  const [rows, environments] = await Promise.all([
    db
      .selectFrom('issues as i')
      .innerJoin('projects as p', 'p.id', 'i.project_id')
      .select(issueColumns)
      .where('i.project_id', '=', projectId)
      .where('i.id', 'in', targets)
      .execute(),
    db
      .selectFrom('issue_environments')
      .select(['issue_id', 'environment'])
      .where('project_id', '=', projectId)
      .where('issue_id', 'in', targets)
      .execute(),
  ])
  const found = new Map(rows.map((row) => [row.issue_id, toIssueSummary(row)]))
  return issueIds.flatMap((issueId): [string, DeliveredIssue][] => {
    const target = targetOf.get(issueId) ?? issueId
    const summary = found.get(target)
    if (summary === undefined) return []
    const names = environments.filter((row) => row.issue_id === target).map((row) => row.environment)
    return [[toIssueKey({ projectId, issueId }), { summary, environments: names }]]
  })
}
