import type { CursorCodec } from '#server/store/keyset-page.ts'
import { errorAnswer, type ApiAnswer } from './api-answer.ts'
import { noNextCursor, noPreviousCursor } from './link-cursor.ts'

/** Parsed query parameters, or the rejection. */
export type ReadParameters<T> = { ok: true; value: T } | { ok: false; error: ApiAnswer }

/**
 * Parses the cursor, if there is one. Rejects an invalid one: if it returned the first page, a script would
 * loop forever.
 */
export function readCursor(
  { searchParams }: URL,
  { parse }: Pick<CursorCodec<unknown>, 'parse'>,
): ReadParameters<{ cursor?: string }> {
  const cursor = searchParams.get('cursor') ?? ''
  if (['', noPreviousCursor, noNextCursor].includes(cursor)) return { ok: true, value: {} }
  return parse(cursor) !== undefined
    ? { ok: true, value: { cursor } }
    : { ok: false, error: errorAnswer(400, 'Invalid cursor parameter.') }
}
