import { setTimeout as pause } from 'node:timers/promises'
import { isJsonObject } from '#protocol/json.ts'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { objectsOf, parseForeignJson } from './fields.ts'

export interface SourceClientOptions {
  /** `https://sentry.example`, possibly with a path. */
  url: string
  token: string
  report: (text: string) => void
  /** By default every address is allowed, for the operator's commands. */
  fetch?: SourceFetch
  /** Ends a request or a pause, and rejects all further ones. */
  signal?: AbortSignal
}

/** An answer in the form of `fetch`. */
export interface SourceAnswer {
  status: number
  headers: { get(name: string): string | null }
  body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null
}

/** Sends a request without following redirects, because the token must not be sent elsewhere. */
export type SourceFetch = (
  url: URL,
  init: { headers: Record<string, string>; redirect: 'manual'; signal: AbortSignal },
) => Promise<SourceAnswer>

/** Thrown for data that the tracker does not have or that the token may not read. */
export class SourceMissing extends Error {}

/** One answer: its JSON, and the URL of the next page. */
interface Page {
  value: unknown
  next?: string
}

/**
 * Reads the web API of another tracker, one request at a time, within its rate limits. Throws an
 * `OperatorError` if the token is wrong or the tracker fails, and `SourceMissing` for 403 and 404.
 */
export class SourceClient {
  private readonly options: SourceClientOptions
  private readonly base: URL

  constructor(options: SourceClientOptions) {
    this.options = options
    this.base = new URL(options.url.endsWith('/') ? options.url : `${options.url}/`)
  }

  /** The URL of a page of the tracker. */
  pageUrl(path: string): string {
    return new URL(path, this.base).href
  }

  /** The JSON at a path of the API, without a leading slash. */
  async read(path: string): Promise<unknown> {
    return (await this.readPage(new URL(path, this.base))).value
  }

  /**
   * The pages from a path on, by the `Link` header or by `next` in the answer. Callers limit the number of
   * objects; too many empty pages, or a page that refers to itself, end the import.
   */
  async *pages(path: string): AsyncGenerator {
    let emptyCount = 0
    for (let url: URL | undefined = new URL(path, this.base); url !== undefined;) {
      const { value, next }: Page = await this.readPage(url)
      yield value
      const where = `${url.host}${url.pathname}`
      emptyCount = isEmptyPage(value) ? emptyCount + 1 : 0
      if (next !== undefined && emptyCount === limits.importEmptyPages)
        throw new OperatorError(
          `${where} returned ${emptyCount} empty pages in a row and links to another one. Is it the URL of the tracker?`,
        )
      const nextUrl: URL | undefined = next === undefined ? undefined : this.sameOrigin(next)
      if (nextUrl?.href === url.href)
        throw new OperatorError(`${where} links to the same page as the next one: the list does not end.`)
      url = nextUrl
    }
  }

  /** The token is only sent to the given origin. Behind a proxy a tracker may use http in its own URLs. */
  private sameOrigin(next: string): URL {
    const url = new URL(next, this.base)
    return new URL(`${url.pathname}${url.search}`, this.base)
  }

  private async readPage(url: URL): Promise<Page> {
    for (let attempt = 1; ; attempt += 1) {
      const { answer, text = '', error } = await this.request(url)
      const isLast = attempt === limits.importAttempts
      if (answer === undefined) {
        if (isLast || isForbidden(error))
          throw new OperatorError(`${this.base.host} does not respond: ${describe(error)}`)
        await this.pauseFor(2 ** attempt * 250)
      } else if (answer.status === 429 || answer.status >= 500) {
        await answer.body?.cancel()
        if (isLast)
          throw new OperatorError(
            `${url.host}${url.pathname} returned ${answer.status}. Try again later: the import continues where it stopped.`,
          )
        await this.pauseFor(demandedPause(answer) ?? (answer.status === 429 ? 60_000 : 2 ** attempt * 250))
      } else {
        const page = this.parse(url, answer, text)
        if (answer.headers.get('x-sentry-rate-limit-remaining') === '0')
          await this.pauseFor(demandedPause(answer) ?? 0)
        return page
      }
    }
  }

  /** With the text of a page: a connection that ends within a body is a failed request, too. */
  private async request(url: URL): Promise<{ answer?: SourceAnswer; text?: string; error?: unknown }> {
    const { signal, fetch: send = fetch } = this.options
    try {
      const answer = await send(url, {
        headers: { authorization: `Bearer ${this.options.token}`, accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(limits.importAnswerMs), ...(signal ? [signal] : [])]),
      })
      if (answer.status !== 200) return { answer }
      return { answer, text: await readBounded(answer, `${url.host}${url.pathname}`) }
    } catch (error) {
      if (error instanceof OperatorError || signal?.aborted === true) throw error
      return { error }
    }
  }

  private parse(url: URL, answer: SourceAnswer, text: string): Page {
    const { status } = answer
    const where = `${url.host}${url.pathname}`
    if (status === 401)
      throw new OperatorError(`${url.host} rejects the token (401). Nothing more was imported.`)
    if (status === 403 || status === 404) throw new SourceMissing(`${where} returned ${status}`)
    if (status >= 300 && status < 400) {
      throw new OperatorError(
        `${where} redirects to ${answer.headers.get('location') ?? 'nowhere'}: use that URL.`,
      )
    }
    if (status !== 200) throw new OperatorError(`${where} returned ${status}.`)
    try {
      const value: unknown = parseForeignJson(text)
      return { value, next: nextPage(answer, value) }
    } catch (error) {
      throw new OperatorError(
        `${where} did not return JSON: ${errorMessage(error)}. Is it the URL of the tracker?`,
      )
    }
  }

  private async pauseFor(ms: number): Promise<void> {
    const bounded = Math.min(Math.max(ms, 0), limits.importPauseMs)
    if (bounded >= 2_000)
      this.options.report(`${this.base.host} is limiting requests: waiting ${Math.ceil(bounded / 1_000)} s\n`)
    await pause(bounded, undefined, { signal: this.options.signal })
  }
}

/** True for a page without objects, which count towards no limit. */
function isEmptyPage(value: unknown): boolean {
  return objectsOf(isJsonObject(value) ? value['results'] : value).length === 0
}

/** The message of the address rule names the setting that allows it; a retry would fail as well. */
function isForbidden(error: unknown): boolean {
  return describe(error).includes('CULVERT_ALLOW_PRIVATE')
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return errorMessage(cause)
}

/** The milliseconds of `Retry-After` in seconds, or until Sentry's `X-Sentry-Rate-Limit-Reset`. */
function demandedPause({ headers }: SourceAnswer): number | undefined {
  const after = Number(headers.get('retry-after') ?? Number.NaN)
  if (Number.isFinite(after)) return after * 1_000
  const reset = Number(headers.get('x-sentry-rate-limit-reset') ?? Number.NaN)
  return Number.isFinite(reset) ? reset * 1_000 - Date.now() : undefined
}

async function readBounded(answer: SourceAnswer, where: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk)
    byteCount += chunk.byteLength
    if (byteCount > limits.importAnswerBytes)
      throw new OperatorError(`${where} returned more than ${limits.importAnswerBytes} bytes.`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Sentry and GlitchTip return the next page in `Link`, Bugsink in the body. */
function nextPage({ headers }: SourceAnswer, value: unknown): string | undefined {
  for (const part of (headers.get('link') ?? '').split(/,\s*(?=<)/)) {
    const [, url] = /^<([^>]*)>/.exec(part) ?? []
    if (url !== undefined && part.includes('rel="next"') && !part.includes('results="false"')) return url
  }
  return isJsonObject(value) && typeof value['next'] === 'string' ? value['next'] : undefined
}
