import { refusal, type ApiAnswer } from './api-answer.ts'
import { noNextCursor, noPreviousCursor } from './link-cursor.ts'

/** A call's parameters as far as they make sense, or the refusal of them. */
export type ReadParameters<T> = { ok: true; value: T } | { ok: false; refusal: ApiAnswer }

/**
 * The cursor of a call, if it has one that `isRight` knows. One that is damaged is refused: a script that took it for the
 * first page would go round in circles.
 */
export function readCursor(
  { searchParams }: URL,
  isRight: (cursor: string) => boolean,
): ReadParameters<{ cursor?: string }> {
  const cursor = searchParams.get('cursor') ?? ''
  if (['', noPreviousCursor, noNextCursor].includes(cursor)) return { ok: true, value: {} }
  return isRight(cursor)
    ? { ok: true, value: { cursor } }
    : { ok: false, refusal: refusal(400, 'Invalid cursor parameter.') }
}
