import { Agent, request, type ClientRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { appConfig } from '../../app.config.ts'
import { makeBody } from './body.ts'
import type { BadInput } from './case.ts'

/** The answer to one request. */
export interface Answer {
  /** 0 if the connection was closed without an answer. */
  status: number
  ms: number
  /** Since the last byte was passed to the kernel. */
  sinceSentMs: number
  headers: IncomingHttpHeaders
  body: string
}

const paths = { envelope: '/api/42/envelope/', store: '/api/42/store/', tunnel: appConfig.tunnelPath }
const parallel = 64
const answerTimeoutMs = 60_000
/** A raw connection that the server keeps open has received its whole answer by then. */
const rawTimeoutMs = 12_000
const agent = new Agent({ keepAlive: false, maxSockets: parallel })

/** Sends a case as often as it specifies, 64 at a time. */
export async function sendBadInput(origin: string, input: BadInput): Promise<Answer[]> {
  if (input.raw_base64 !== undefined) return [await sendRaw(new URL(origin), input, input.raw_base64)]
  const bodiless = ['GET', 'HEAD', 'OPTIONS'].includes(input.method)
  const body = bodiless ? undefined : await bodyOf(input)
  const answers: Answer[] = []
  while (answers.length < input.repeat) {
    const length = Math.min(parallel, input.repeat - answers.length)
    answers.push(...(await Promise.all(Array.from({ length }, () => sendOne(origin, input, body)))))
  }
  return answers
}

function bodyOf({ body_gen: recipe, body_base64: base64 = '' }: BadInput): Promise<Buffer> | Buffer {
  return recipe === undefined ? Buffer.from(base64, 'base64') : makeBody(recipe.slow ?? recipe)
}

function sendOne(origin: string, input: BadInput, body: Buffer | undefined): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  const path = `${input.path ?? paths[input.endpoint]}${input.query === '' ? '' : `?${input.query}`}`
  const headers: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(input.headers)) headers[name] = fillIn(value, origin)
  if (body !== undefined) headers['content-length'] = body.length
  const answer: Answer = { status: 0, ms: 0, sinceSentMs: 0, headers: {}, body: '' }
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let sentAt = Number.POSITIVE_INFINITY
    const end = () => {
      const now = performance.now()
      resolve({ ...answer, ms: now - startedAt, sinceSentMs: Math.max(0, now - sentAt) })
    }
    const outgoing = request({ hostname, port, method: input.method, path, headers, agent }, (incoming) => {
      answer.status = incoming.statusCode ?? 0
      answer.headers = incoming.headers
      incoming.on('data', (chunk: Buffer) => (answer.body += chunk.toString()))
      incoming.on('end', end).on('error', end)
    })
    outgoing.on('finish', () => (sentAt = performance.now())).on('error', end)
    outgoing.setTimeout(answerTimeoutMs, () => outgoing.destroy())
    if (body !== undefined && input.body_gen?.slow) trickle(outgoing, body, input.body_gen.delay_ms ?? 1_000)
    else outgoing.end(body)
  })
}

function trickle(outgoing: ClientRequest, body: Buffer, delayMs: number): void {
  let at = 0
  const timer = setInterval(() => {
    if (at < body.length && !outgoing.destroyed) outgoing.write(body.subarray(at, ++at))
    else {
      clearInterval(timer)
      outgoing.end()
    }
  }, delayMs)
  outgoing.on('close', () => clearInterval(timer))
}

/** Sends bytes that no HTTP client would write. */
function sendRaw({ hostname, port, origin }: URL, input: BadInput, base64: string): Promise<Answer> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let received = ''
    const isReset = input.note.includes('RST')
    const bytes = Buffer.from(fillIn(Buffer.from(base64, 'base64').toString('latin1'), origin), 'latin1')
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    const end = () => {
      clearTimeout(timer)
      const ms = performance.now() - startedAt
      resolve({ ...parseRawAnswer(received), ms, sinceSentMs: ms })
      socket.destroy()
    }
    const timer = setTimeout(end, isReset ? 600 : rawTimeoutMs)
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    socket.on('end', end).on('close', end).on('error', end)
    if (isReset) setTimeout(() => socket.resetAndDestroy(), 200)
  })
}

function parseRawAnswer(received: string): Pick<Answer, 'status' | 'headers' | 'body'> {
  const answers = received.split(/(?=HTTP\/1\.[01] \d{3})/)
  const first = answers.find((text) => !text.startsWith('HTTP/1.1 100')) ?? ''
  const [head = '', ...rest] = (first === '' ? received : first).split('\r\n\r\n')
  const headers: IncomingHttpHeaders = {}
  for (const [, name = '', value = ''] of head.matchAll(/^([\w-]+): *(.*)$/gm))
    headers[name.toLowerCase()] = value.trim()
  return { status: Number(/^HTTP\/1\.[01] (\d+)/.exec(head)?.[1] ?? 0), headers, body: rest.join('\r\n\r\n') }
}

function fillIn(text: string, origin: string): string {
  return text
    .replaceAll('{HOST}', new URL(origin).host)
    .replaceAll('{ORIGIN}', origin)
    .replaceAll('{SESSION_COOKIE}', 'session=none')
}
