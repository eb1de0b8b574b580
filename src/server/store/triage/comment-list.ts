import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import type { IssueKey } from '#server/store/issues/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import { selectIdsWithParts } from './merged-issue.ts'

/** A comment with its Markdown source. */
export interface IssueComment {
  id: string
  /** Markdown. */
  text: string
  at: number
  /** Absent if the account was deleted. */
  by?: { userId: string; name: string; email: string }
}

const detail = v.pipe(v.string(), v.parseJson(), v.object({ text: v.string() }))

/**
 * The comments on an issue and on the issues that were merged into it, newest first, at most
 * `limits.apiPageRows`. One statement.
 */
export async function listIssueComments(db: Db, { projectId, issueId }: IssueKey): Promise<IssueComment[]> {
  const rows = await db
    .selectFrom('issue_activity as a')
    .leftJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.id', 'a.at', 'a.detail', 'u.id as user_id', 'u.name', 'u.email'])
    .where('a.project_id', '=', projectId)
    .where('a.issue_id', 'in', selectIdsWithParts(db, { projectId, issueId }))
    .where('a.kind', '=', 'comment')
    .orderBy('a.id', 'desc')
    .limit(limits.apiPageRows)
    .execute()
  return rows.map(({ id, at, detail: text, user_id: userId, name, email }) => ({
    id,
    at,
    text: v.parse(detail, text).text,
    by: userId === null ? undefined : { userId, name: name ?? '', email: email ?? '' },
  }))
}
