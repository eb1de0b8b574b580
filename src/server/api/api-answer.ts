import { limits } from '#server/limits.ts'
import { tooLargeStatus } from '#server/too-large.ts'
import { noNextCursor, noPreviousCursor } from './link-cursor.ts'

/** A response of the API. */
export interface ApiAnswer {
  status: number
  /** Serialized as JSON. Absent: no body. */
  body?: unknown
  headers?: Record<string, string>
  /** Sent instead of a body, as a download: clients control the content. */
  file?: { name: string; bytes: Uint8Array }
}

/** A JSON response. */
export function answer(body: unknown, status = 200): ApiAnswer {
  return { status, body }
}

/** An error in Sentry's format: `{"detail": "…"}`. */
export function errorAnswer(status: number, detail: string): ApiAnswer {
  return { status, body: { detail } }
}

/** The rejection of a request over a size limit. */
export function tooLargeAnswer(detail: string): ApiAnswer {
  return errorAnswer(tooLargeStatus, detail)
}

/** An error about one field of the body, in Sentry's format: `{"field": ["…"]}`. */
export function fieldErrorAnswer(field: string, problem: string): ApiAnswer {
  return { status: 400, body: { [field]: [problem] } }
}

/** For missing resources and for those that the caller has no access to. */
export const notFoundAnswer: ApiAnswer = errorAnswer(404, 'The requested resource does not exist')

/** A page of a cursor-paginated list. */
export interface CursorPage {
  rows: unknown[]
  /** Number of rows on all pages, as far as they were counted. */
  hits?: number
  nextCursor?: string
  previousCursor?: string
}

/** A page of a list with Sentry's Link header. Clients request pages until it has `results="false"`. */
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
