import { issueSorts } from '#server/store/issues/views.ts'
import type { IssueSort } from '#server/store/issues/views.ts'

/** A place in the issue list: on which side of which issue a page lies. */
export interface IssueCursor {
  sort: IssueSort
  side: 'after' | 'before'
  /** What the issue is sorted by: an instant or a count. */
  value: number
  /** Decides between issues with the same value. */
  issueId: number
}

/** The cursor as it stands in a URL. Opaque: its form may change, and one that no longer fits is the first page. */
export function formatIssueCursor({ sort, side, value, issueId }: IssueCursor): string {
  return Buffer.from(`${sort}.${side}.${value}.${issueId}`).toString('base64url')
}

/** Reads a cursor; undefined when it is damaged or belongs to another order. */
export function parseIssueCursor(text: string | undefined, sort: IssueSort): IssueCursor | undefined {
  if (text === undefined || text.length > 100) return undefined
  const fields = /^([a-z_]+)\.(after|before)\.(\d{1,16})\.(\d{1,16})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  )
  const [value, issueId] = [Number(fields?.[3]), Number(fields?.[4])]
  const known = issueSorts.find((candidate) => candidate === fields?.[1])
  if (known !== sort || !Number.isSafeInteger(value) || !Number.isSafeInteger(issueId)) return undefined
  return { sort, side: fields?.[2] === 'before' ? 'before' : 'after', value, issueId }
}
