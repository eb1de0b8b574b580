import type { IncomingMessage } from 'node:http'
import type { BodyHold } from '#server/ingest/admission/body-gate.ts'
import type { BodyResult } from '#server/ingest/ingest-request.ts'
import { limits } from '#server/limits.ts'
import { decodeBody, tooLargeBody } from './decode-body.ts'

const noRoom: BodyResult = {
  ok: false,
  status: 429,
  reason: 'overload',
  problem: 'too many request bodies in flight',
}
const cutOff: BodyResult = {
  ok: false,
  status: 400,
  reason: 'payload',
  problem: 'the request body ended early',
}

/**
 * Reads and decodes the body of a node:http request, at most `limits.ingestWireBytes`. Its memory is reserved
 * in `hold`, which the caller releases after the answer. If the body is rejected, the rest of it is unread:
 * the caller answers and then discards it.
 */
export async function readNodeBody(request: IncomingMessage, hold: BodyHold): Promise<BodyResult> {
  if (Number(request.headers['content-length'] ?? 0) > limits.ingestWireBytes) return tooLargeBody()
  const collected = createCollector(hold)
  const problem = await collectNodeBody(request, collected)
  if (problem !== undefined) return problem
  const body = decodeBody(collected.join(), request.headers['content-encoding'], hold.gate)
  return holdDecoded(body instanceof Promise ? await body : body, hold)
}

/** The same for a Web request, from Start's server routes or a serverless host. */
export async function readWebBody(request: Request, hold: BodyHold): Promise<BodyResult> {
  if (Number(request.headers.get('content-length') ?? 0) > limits.ingestWireBytes) return tooLargeBody()
  const collected = createCollector(hold)
  const problem = await collectWebBody(request, collected)
  if (problem !== undefined) return problem
  const encoding = request.headers.get('content-encoding') ?? undefined
  return holdDecoded(await decodeBody(collected.join(), encoding, hold.gate), hold)
}

function holdDecoded(body: BodyResult, hold: BodyHold): BodyResult {
  return body.ok && !hold.resize(body.bytes.length) ? noRoom : body
}

interface Collector {
  /** Appends a chunk, or returns the rejection. */
  add(chunk: Uint8Array): BodyResult | undefined
  join(): Buffer
}

function createCollector(hold: BodyHold): Collector {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  return {
    add(chunk) {
      if (byteCount + chunk.length > limits.ingestWireBytes) return tooLargeBody()
      if (!hold.resize(byteCount + chunk.length)) return noRoom
      byteCount += chunk.length
      chunks.push(chunk)
      return undefined
    },
    join() {
      // Emptied, because the listeners of the request reference it: the chunks would stay in memory together
      // with the whole.
      const pieces = chunks.splice(0)
      const [only] = pieces
      // A typical request arrives in one chunk, which needs no copy.
      if (pieces.length === 1 && only instanceof Buffer) return only
      return Buffer.concat(pieces, byteCount)
    },
  }
}

/** Events instead of `for await`: an iterator costs every request an additional event-loop tick. */
function collectNodeBody(request: IncomingMessage, collected: Collector): Promise<BodyResult | undefined> {
  return new Promise((resolve) => {
    // The listeners remain attached without an effect: removing them costs more than calling them. And
    // without one, a later reset of the connection would be an unhandled error.
    let isFinished = false
    function finish(problem: BodyResult | undefined): void {
      if (isFinished) return
      isFinished = true
      if (problem !== undefined) request.pause()
      resolve(problem)
    }
    function onData(chunk: Buffer): void {
      const problem = isFinished ? undefined : collected.add(chunk)
      if (problem !== undefined) finish(problem)
    }
    function onEnd(): void {
      finish(undefined)
    }
    function onCutOff(): void {
      finish(cutOff)
    }
    request.on('data', onData).on('end', onEnd).on('close', onCutOff).on('error', onCutOff)
  })
}

async function collectWebBody(request: Request, collected: Collector): Promise<BodyResult | undefined> {
  if (request.body === null) return undefined
  const reader = request.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return undefined
      const problem = collected.add(value)
      if (problem === undefined) continue
      await reader.cancel()
      return problem
    }
  } catch {
    return cutOff
  }
}
