import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { errorCode, errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'

/** The status of an answer, the relevant headers, and the start of the body if it was requested. */
interface AnswerHead {
  kind: 'answered'
  status: number
  retryAfter?: string
  rateLimits?: string
  body?: string
}

/** The answer of a server, or the reason why there is none. Nothing else of the answer is kept. */
export type ReceivedAnswer = AnswerHead | { kind: 'failed'; problem: string }

/** A pending answer. Reads only the beginning of its body, and keeps it only with `keepsBody`. */
export class AwaitedAnswer implements Dispatcher.DispatchHandler {
  private readonly timeoutMs: number
  private readonly body: Buffer[] | undefined
  private readonly resolve: (answer: ReceivedAnswer) => void
  private timer: NodeJS.Timeout
  private request: Dispatcher.DispatchController | undefined
  private head: AnswerHead | undefined
  private bodyBytes = 0
  private isOver = false

  constructor(
    { timeoutMs, keepsBody = false }: { timeoutMs: number; keepsBody?: boolean },
    resolve: (answer: ReceivedAnswer) => void,
  ) {
    this.timeoutMs = timeoutMs
    this.body = keepsBody ? [] : undefined
    this.resolve = resolve
    this.timer = setTimeout(() => this.giveUp('no answer in time'), timeoutMs)
  }

  onRequestStart(request: Dispatcher.DispatchController): void {
    this.request = request
    // No caller is waiting any more, so the rejection must be handled here.
    if (this.isOver) request.abort(new GivenUpError())
  }

  onResponseStart(
    _request: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // An informational answer (1xx); the final one follows.
    if (status < 200) return
    this.head = toAnswer(status, headers)
    // The rest of the answer is read only to reuse the connection, and not awaited for long.
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.giveUp(''), Math.min(this.timeoutMs, limits.forwardAnswerMs))
  }

  onResponseData(_request: Dispatcher.DispatchController, bytes: Buffer): void {
    this.bodyBytes += bytes.length
    if (this.bodyBytes > limits.forwardAnswerBytes) this.giveUp('')
    else this.body?.push(bytes)
  }

  onResponseEnd(): void {
    this.end('the answer is not HTTP')
  }

  onResponseError(_request: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  /** The request could not be sent, or its answer could not be read. */
  fail(error: unknown): void {
    this.end(describe(error))
  }

  /** Once the status has been received, an error in the rest of the answer does not change the result. */
  private end(problem: string): void {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.timer)
    const body = this.body && Buffer.concat(this.body).toString('utf8')
    this.resolve(
      this.head === undefined ? { kind: 'failed', problem } : { ...this.head, ...(body && { body }) },
    )
  }

  /** Closes the connection. */
  private giveUp(problem: string): void {
    this.end(problem)
    this.request?.abort(new GivenUpError())
  }
}

class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
}

function toAnswer(status: number, headers: IncomingHttpHeaders): AnswerHead {
  const [retryAfter] = toValues(headers['retry-after'])
  const rateLimits = toValues(headers['x-sentry-rate-limits'])
  return {
    kind: 'answered',
    status,
    retryAfter,
    ...(rateLimits.length > 0 && { rateLimits: rateLimits.join(', ') }),
  }
}

function toValues(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}

/** Short, and without any text from the upstream. */
function describe(error: unknown): string {
  const code = errorCode(error)
  if (code === 'PRIVATE_ADDRESS') return errorMessage(error)
  if (code === 'UND_ERR_SOCKET') return 'ECONNRESET'
  const isUnreadable = error instanceof Error && error.name === 'HTTPParserError'
  const isNoHttp = isUnreadable || code === 'UND_ERR_HEADERS_OVERFLOW'
  return isNoHttp ? 'the answer is not HTTP' : (code ?? 'the connection failed')
}
