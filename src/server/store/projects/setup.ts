import type { Db } from '#server/store/schema/database.ts'

/** The data of a project's setup guide, and whether the project has received an event. */
export interface ProjectSetup {
  /** The oldest active key. */
  publicKey?: string
  /** Any issue. */
  issue?: { issueId: string; title: string; subtitle: string }
}

/** The oldest active key of a project, and any of its issues. One statement. */
export async function findProjectSetup(db: Db, projectId: number): Promise<ProjectSetup> {
  const row = await db
    .selectFrom('projects')
    .leftJoin('issues', 'issues.project_id', 'projects.id')
    .select(['issues.id', 'issues.title', 'issues.subtitle'])
    .select((of) =>
      of
        .selectFrom('project_keys')
        .select('public_key')
        .where('project_id', '=', projectId)
        .where('is_active', '=', 1)
        .orderBy('created_at')
        .orderBy('public_key')
        .limit(1)
        .as('public_key'),
    )
    .where('projects.id', '=', projectId)
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return {}
  const { id, title, subtitle, public_key: publicKey } = row
  return {
    publicKey: publicKey ?? undefined,
    ...(id !== null && { issue: { issueId: String(id), title: title ?? '', subtitle: subtitle ?? '' } }),
  }
}
