import { randomBytes } from 'node:crypto'
import type { InferResult, Selectable } from 'kysely'
import { defaultRule } from '#alerts/built-in-rules.ts'
import { limits } from '#server/limits.ts'
import { insertAlertRule } from '#server/store/alerts/rules.ts'
import { sortByName } from '#server/store/name-order.ts'
import { eventCategories } from '#server/store/outcomes/outcomes.ts'
import type { Database, Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { listUpstreams, type Upstream } from '#server/store/upstreams/upstreams.ts'
import { firstOf24Hours } from '#time/time-steps.ts'
import { findHighestDeletedId } from './deleted.ts'
import { insertProjectMembers } from './members.ts'
import type { ProjectName } from './records.ts'
import {
  defaultProjectSettings,
  parseKeySettings,
  parseProjectSettings,
  type KeySettings,
  type ProjectSettings,
} from './settings.ts'
import { toSlug } from './slug.ts'

/** A key that SDKs authenticate with, its settings and those of its project. */
export interface ProjectKey {
  /** 32 lower-case hex digits. */
  publicKey: string
  projectId: number
  isActive: boolean
  /** The settings of the key. */
  keySettings: KeySettings
  /** The settings of the project, one object for all of its keys. */
  settings: ProjectSettings
  /** The upstreams of the project. */
  upstreams: readonly Upstream[]
}

/** Every key of every project, oldest first. Two statements; cache it by `engine.readDataVersion`. */
export async function listProjectKeys(db: Db): Promise<ProjectKey[]> {
  const rows = await db
    .selectFrom('project_keys as k')
    .innerJoin('projects as p', 'p.id', 'k.project_id')
    .select(['k.public_key', 'k.project_id', 'k.is_active', 'k.settings as key_settings', 'p.settings'])
    .orderBy('k.created_at')
    .orderBy('k.public_key')
    .execute()
  const upstreams = Map.groupBy(await listUpstreams(db), ({ projectId }) => projectId)
  const documents = new Map(rows.map((row) => [row.project_id, row.settings]))
  const settings = new Map([...documents].map(([id, document]) => [id, parseProjectSettings(document)]))
  return rows.map((row) => ({
    publicKey: row.public_key,
    projectId: row.project_id,
    isActive: row.is_active === 1,
    keySettings: parseKeySettings(row.key_settings),
    settings: settings.get(row.project_id) ?? defaultProjectSettings,
    upstreams: upstreams.get(row.project_id) ?? [],
  }))
}

/** A new project with its first key. */
export interface CreatedProject extends ProjectName {
  publicKey: string
}

export interface CreateProjectOptions {
  /** Its display name. */
  name: string
  /** Derived from the name by default. Throws if another project has it. */
  slug?: string
  /** By default one above the highest. Throws if it is in use. */
  id?: number
  /** 32 lower-case hex digits, random by default. Throws if another project has it. */
  publicKey?: string
  platform?: string
  /** True for Culvert's own project, to which it reports its own errors. */
  isBuiltIn?: boolean
  /** The first organization by default. */
  organizationId?: number
  /** Members with access to some projects only, who get access to this one. */
  memberIds?: readonly string[]
}

/**
 * Creates a project with one active key. A slug derived from the name gets a numeric suffix if another
 * project has it.
 */
export async function createProject(store: Store, options: CreateProjectOptions): Promise<CreatedProject> {
  const { organizationId = 1, publicKey = randomBytes(16).toString('hex'), isBuiltIn = false } = options
  const at = store.clock()
  return store.writer.transaction().execute(async (tx) => {
    const project = await insertProject(tx, options, at)
    await tx
      .insertInto('project_keys')
      .values({
        project_id: project.id,
        public_key: publicKey,
        label: 'Default',
        is_active: 1,
        created_at: at,
      })
      .execute()
    // Only the operator is interested in Culvert's own errors.
    if (!isBuiltIn)
      await insertAlertRule(tx, { organizationId, projectId: project.id, rule: defaultRule, at })
    const userIds = options.memberIds ?? []
    await insertProjectMembers(tx, { projectId: project.id, organizationId, userIds })
    return { ...project, publicKey }
  })
}

/** Inserts a project without keys and rules. Call inside a transaction. */
export async function insertProject(
  tx: Tx,
  options: Omit<CreateProjectOptions, 'publicKey' | 'memberIds'> & { settings?: string },
  at: number,
): Promise<ProjectName> {
  const { name, platform, organizationId = 1, isBuiltIn = false, settings } = options
  const id = options.id ?? (await nextProjectId(tx))
  const slug = options.slug ?? (await freeSlug(tx, name))
  await tx
    .insertInto('projects')
    .values({
      id,
      organization_id: organizationId,
      slug,
      name,
      platform: platform ?? null,
      is_built_in: isBuiltIn ? 1 : 0,
      last_issue_number: 0,
      created_at: at,
      ...(settings !== undefined && { settings }),
    })
    .execute()
  return { id, slug, name, platform }
}

/** Imported projects have ids with up to 16 digits; ids of new ones do not continue after those. */
const firstLongId = 1_000_000_000_000

async function nextProjectId(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('projects')
    .select((is) => is.fn.max('id').as('highest'))
    .where('id', '<', firstLongId)
    .executeTakeFirst()
  return Math.max(row?.highest ?? 0, await findHighestDeletedId(tx)) + 1
}

async function freeSlug(tx: Tx, name: string): Promise<string> {
  const slug = toSlug(name, limits.projectSlugCharacters) ?? 'project'
  const rows = await tx.selectFrom('projects').select('slug').execute()
  const taken = new Set([...rows.map((row) => row.slug), ...reservedSlugs])
  if (!taken.has(slug)) return slug
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`
  }
}

/** Path segments of the console in the position of a slug: `/projects/new`. */
const reservedSlugs: readonly string[] = ['new']

/** True for a valid slug of a project. */
export function isProjectSlug(text: string): boolean {
  return (
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) &&
    text.length <= limits.projectSlugCharacters &&
    !reservedSlugs.includes(text)
  )
}

/** True if a project has the slug. One statement. */
export async function hasProjectSlug(db: Db, slug: string): Promise<boolean> {
  return (
    (await db.selectFrom('projects').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined
  )
}

/** A row of the project list, without the DSN, which needs the server's address. */
export interface ProjectOverview extends ProjectName {
  /** The first active key; absent if there is none. */
  publicKey?: string
  createdAt: number
  /** Events accepted in the 24 hours up to and including the current one. */
  eventCount24h: number
  unresolvedIssueCount: number
  /** Of the environments that are still listed. */
  firstEventAt?: number
  lastEventAt?: number
  isBuiltIn: boolean
}

/** The projects by name, each with its first active key and its counts. One statement. */
export async function listProjectRows(db: Db, query: OverviewQuery): Promise<ProjectOverview[]> {
  const rows = await selectOverviews(db, query).execute()
  return sortByName(rows.map(toProjectOverview), ({ name }) => name)
}

interface OverviewQuery {
  projectIds: readonly number[]
  now: number
}

/** Citus cannot correlate rows of a project's node with `projects`, but it can join their sums. */
function selectOverviews(db: Db, { projectIds, now }: OverviewQuery) {
  return db
    .with(
      (cte) => cte('accepted').materialized(),
      (is) =>
        is
          .selectFrom('outcome_hours')
          .select((of) => ['project_id', of.fn.sum<number>('quantity').as('quantity')])
          .where('project_id', 'in', projectIds)
          .where('hour', '>=', firstOf24Hours(now))
          .where('outcome', '=', 'accepted')
          .where('category', 'in', eventCategories)
          .groupBy('project_id'),
    )
    .with(
      (cte) => cte('unresolved').materialized(),
      (is) =>
        is
          .selectFrom('issues')
          .select((of) => ['project_id', of.fn.countAll<number>().as('issue_count')])
          .where('project_id', 'in', projectIds)
          .where('status', '=', 'unresolved')
          .groupBy('project_id'),
    )
    .with(
      (cte) => cte('seen').materialized(),
      (is) =>
        is
          .selectFrom('environments')
          .select((of) => [
            'project_id',
            of.fn.min('first_seen_at').as('first_seen_at'),
            of.fn.max('last_seen_at').as('last_seen_at'),
          ])
          .where('project_id', 'in', projectIds)
          // The other environments are those of transactions.
          .where('event_count', '>', 0)
          .groupBy('project_id'),
    )
    .selectFrom('projects as p')
    .leftJoin('accepted as a', 'a.project_id', 'p.id')
    .leftJoin('unresolved as i', 'i.project_id', 'p.id')
    .leftJoin('seen as e', 'e.project_id', 'p.id')
    .select(['p.id', 'p.slug', 'p.name', 'p.platform', 'p.created_at', 'p.is_built_in'])
    .select([
      'a.quantity as event_count_24h',
      'i.issue_count as unresolved_issue_count',
      'e.first_seen_at as first_event_at',
      'e.last_seen_at as last_event_at',
    ])
    .select((is) => [
      is
        .selectFrom('project_keys as k')
        .select('k.public_key')
        .whereRef('k.project_id', '=', 'p.id')
        .where('k.is_active', '=', 1)
        .orderBy('k.created_at')
        .orderBy('k.public_key')
        .limit(1)
        .as('public_key'),
    ])
    .where('p.id', 'in', projectIds)
    .orderBy('p.name')
    .orderBy('p.id')
}

function toProjectOverview(row: InferResult<ReturnType<typeof selectOverviews>>[number]): ProjectOverview {
  return {
    ...toProjectName(row),
    publicKey: row.public_key ?? undefined,
    createdAt: row.created_at,
    eventCount24h: row.event_count_24h ?? 0,
    unresolvedIssueCount: row.unresolved_issue_count ?? 0,
    firstEventAt: row.first_event_at ?? undefined,
    lastEventAt: row.last_event_at ?? undefined,
    isBuiltIn: row.is_built_in === 1,
  }
}

/** The options of the stream's filters. */
export interface FilterChoices {
  /** By name. */
  projects: ProjectName[]
  /** Environments of all projects, of events and of transactions, in alphabetical order. */
  environments: string[]
  /** True if no project has ever stored an event. */
  isEmptyInstallation: boolean
}

/** The projects that the reader has access to, and their environments. One statement. */
export async function listFilterChoices(db: Db, projectIds: readonly number[]): Promise<FilterChoices> {
  const rows = await db
    .selectFrom('projects as p')
    .leftJoin('environments as e', 'e.project_id', 'p.id')
    .select(['p.id', 'p.slug', 'p.name', 'p.platform', 'e.name as environment', 'e.event_count as count'])
    .where('p.id', 'in', projectIds)
    .orderBy('p.name')
    .orderBy('p.id')
    .orderBy('e.name')
    .execute()
  const projects = new Map<number, ProjectName>()
  const environments = new Set<string>()
  for (const row of rows) {
    if (!projects.has(row.id)) projects.set(row.id, toProjectName(row))
    if (row.environment !== null) environments.add(row.environment)
  }
  return {
    projects: sortByName([...projects.values()], ({ name }) => name),
    environments: sortByName([...environments], (name) => name),
    isEmptyInstallation: rows.every(({ count }) => (count ?? 0) === 0),
  }
}

/** Every project, oldest first. One statement. */
export async function listProjectNames(db: Db): Promise<ProjectName[]> {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'slug', 'name', 'platform'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toProjectName)
}

type ProjectNameRow = Pick<Selectable<Database['projects']>, 'id' | 'slug' | 'name' | 'platform'>

/** The name of a project from its columns. */
export function toProjectName({ id, slug, name, platform }: ProjectNameRow): ProjectName {
  return { id, slug, name, platform: platform ?? undefined }
}
