import type { CursorCodec } from '#server/store/keyset-page.ts'
import { errorAnswer, type ApiAnswer } from './api-answer.ts'
import { noNextCursor, noPreviousCursor } from './link-cursor.ts'

/** The parsed parameters of a request, or the error answer. */
export type ReadParameters<T> = { ok: true; value: T } | { ok: false; error: ApiAnswer }

/**
 * The cursor of a call, if it has one. A damaged one is rejected: a script that gets the first page instead
 * would never reach the last one.
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
