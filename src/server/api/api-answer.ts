import { limits } from '#server/limits.ts'
import { noNextCursor, noPreviousCursor } from './link-cursor.ts'

/** What a call of the API is answered with. */
export interface ApiAnswer {
  status: number
  /** Sent as JSON; absent for no body. */
  body?: unknown
  headers?: Record<string, string>
  /** Sent in the place of a body: what strangers sent, to save. */
  file?: { name: string; bytes: Uint8Array }
}

/** A value as it is. */
export function answer(body: unknown, status = 200): ApiAnswer {
  return { status, body }
}

/** An error in Sentry's form: `{"detail": "…"}`. */
export function errorAnswer(status: number, detail: string): ApiAnswer {
  return { status, body: { detail } }
}

/** The error answer for one field of the request, in Sentry's form: `{"field": ["…"]}`. */
export function fieldErrorAnswer(field: string, problem: string): ApiAnswer {
  return { status: 400, body: { [field]: [problem] } }
}

/** For what is not there, and for what whoever asks does not reach. */
export const notFoundAnswer: ApiAnswer = errorAnswer(404, 'The requested resource does not exist')

/** A page of a list that goes on by a cursor. */
export interface CursorPage {
  rows: unknown[]
  /** How many rows there are on all pages, as far as they were counted. */
  hits?: number
  nextCursor?: string
  previousCursor?: string
}

/** A page of a list, with Sentry's Link header: clients go on until it says `results="false"`. */
export function answerPage(url: URL, { rows, hits, nextCursor, previousCursor }: CursorPage): ApiAnswer {
  const link = (rel: string, cursor: string | undefined, none: string) => {
    const target = new URL(url)
    target.searchParams.set('cursor', cursor ?? none)
    return `<${target.href}>; rel="${rel}"; results="${cursor !== undefined}"; cursor="${cursor ?? none}"`
  }
  const links = [link('previous', previousCursor, noPreviousCursor), link('next', nextCursor, noNextCursor)]
  const counted: Record<string, string> =
    hits === undefined ? {} : { 'x-hits': String(hits), 'x-max-hits': String(limits.countedIssues) }
  return { status: 200, body: rows, headers: { link: links.join(', '), ...counted } }
}
