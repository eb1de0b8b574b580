import { parseReleaseVersion } from '#protocol/release-version.ts'
import { limits } from '#server/limits.ts'
import { queueTransitions } from '#server/store/alerts/queue.ts'
import { toReleaseTransition } from '#server/store/alerts/release-writer.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { resolveFixedIssues, type FixScope } from './commit-fixes.ts'
import type { ReleaseCommit } from './records.ts'

/** A release without events. Times are Unix milliseconds. */
export interface NewRelease {
  version: string
  createdAt: number
  releasedAt?: number
  url?: string
  ref?: string
}

/** Adds a release to a project. Returns false if the project has it. */
export async function insertRelease(
  tx: Tx,
  { projectId, version, createdAt, releasedAt, url, ref }: NewRelease & { projectId: number },
): Promise<boolean> {
  const { package: ofPackage, order = '' } = parseReleaseVersion(version)
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('releases')
    .values({
      project_id: projectId,
      version,
      package: ofPackage,
      version_order: order,
      created_at: createdAt,
      first_seen_at: createdAt,
      last_seen_at: createdAt,
      event_count: 0,
      released_at: releasedAt ?? null,
      url: url ?? null,
      ref: ref ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** A release in some projects. */
export interface ReleaseSelector {
  version: string
  projectIds: readonly number[]
}

/** The fields of a release that a tool sets; absent fields are not changed. Times are Unix milliseconds. */
export interface ReleaseFields {
  /** Null: the release is no longer marked as released. */
  releasedAt?: number | null
  url?: string
  ref?: string
  isArchived?: boolean
  /** Replaces all earlier commits; the latest first. */
  commits?: ReleaseCommit[]
}

/** A deploy that a tool reports. */
export interface NewDeploy {
  environment: string
  name?: string
  url?: string
  startedAt?: number
  /** Now by default. */
  finishedAt?: number
}

/** A stored deploy. */
export interface KeptDeploy extends NewDeploy {
  id: number
  finishedAt: number
}

/**
 * Creates a release if it does not exist, and sets its fields, in one transaction. Returns the number of
 * projects in which it is new. With `fixes`, commits resolve the issues that their messages name.
 */
export function recordRelease(
  store: Store,
  { version, projectIds }: ReleaseSelector,
  { fixes, ...fields }: ReleaseFields & { fixes?: FixScope } = {},
): Promise<{ newCount: number }> {
  return store.writer.transaction().execute(async (tx) => {
    const newCount = await insertReleases(tx, { version, projectIds }, store.clock())
    const set = {
      ...(fields.releasedAt !== undefined && { released_at: fields.releasedAt }),
      ...(fields.url !== undefined && { url: fields.url }),
      ...(fields.ref !== undefined && { ref: fields.ref }),
      ...(fields.isArchived !== undefined && { is_archived: fields.isArchived ? 1 : 0 }),
    }
    if (Object.keys(set).length > 0) {
      await tx
        .updateTable('releases')
        .set(set)
        .where('version', '=', version)
        .where('project_id', 'in', projectIds)
        .execute()
    }
    if (fields.commits !== undefined) {
      const commits = fields.commits.slice(0, limits.commitsPerRelease)
      const known = await listCommitIds(tx, { version, projectIds })
      for (const projectId of projectIds) await replaceCommits(tx, { version, projectId }, commits)
      const added = commits.filter(({ id }) => !known.has(id))
      if (fixes) await resolveFixedIssues(tx, { version, commits: added, scope: fixes, at: store.clock() })
    }
    return { newCount }
  })
}

/** Records that a release was deployed, in one transaction. Creates the release if it does not exist. */
export function recordDeploy(
  store: Store,
  { version, projectIds }: ReleaseSelector,
  deploy: NewDeploy,
): Promise<KeptDeploy> {
  const now = store.clock()
  return store.writer.transaction().execute(async (tx) => {
    await insertReleases(tx, { version, projectIds }, now)
    const last = await tx
      .selectFrom('deploys')
      .select((of) => of.fn.max('id').as('id'))
      .where('version', '=', version)
      .where('project_id', 'in', projectIds)
      .executeTakeFirst()
    // Derived from the time, so that the later of two deploys has the larger id, and unique.
    const id = Math.max(now, (last?.id ?? 0) + 1)
    const { environment, name, url, startedAt, finishedAt = now } = deploy
    const row = {
      version,
      id,
      environment,
      name: name ?? null,
      url: url ?? null,
      started_at: startedAt ?? null,
      finished_at: finishedAt,
    }
    const rows = projectIds.map((projectId) => Object.assign({ project_id: projectId }, row))
    await tx.insertInto('deploys').values(rows).execute()
    return { ...deploy, id, finishedAt }
  })
}

/** Deletes a release with its fields, commits and deploys; its events remain. Returns whether it existed. */
export async function deleteRelease(
  store: Store,
  { version, projectIds }: ReleaseSelector,
): Promise<boolean> {
  const { numDeletedRows } = await store.writer
    .deleteFrom('releases')
    .where('version', '=', version)
    .where('project_id', 'in', projectIds)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

async function insertReleases(
  tx: Tx,
  { version, projectIds }: ReleaseSelector,
  now: number,
): Promise<number> {
  let newCount = 0
  for (const projectId of projectIds) {
    if (!(await insertRelease(tx, { projectId, version, createdAt: now }))) continue
    newCount += 1
    await queueTransitions(tx, [toReleaseTransition({ projectId, version, at: now })])
  }
  return newCount
}

/** The commits of the release in one of the projects. */
async function listCommitIds(tx: Tx, { version, projectIds }: ReleaseSelector): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('release_commits')
    .select('id')
    .where('project_id', 'in', projectIds)
    .where('version', '=', version)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

async function replaceCommits(
  tx: Tx,
  { version, projectId }: { version: string; projectId: number },
  commits: ReleaseCommit[],
): Promise<void> {
  await tx
    .deleteFrom('release_commits')
    .where('project_id', '=', projectId)
    .where('version', '=', version)
    .execute()
  const rows = commits.map((commit, index) => ({
    project_id: projectId,
    version,
    number: index + 1,
    id: commit.id,
    repository: commit.repository ?? null,
    message: commit.message ?? null,
    author_name: commit.authorName ?? null,
    author_email: commit.authorEmail ?? null,
    committed_at: commit.committedAt ?? null,
    files: commit.files === undefined ? null : JSON.stringify(commit.files),
  }))
  if (rows.length > 0) await tx.insertInto('release_commits').values(rows).execute()
}
