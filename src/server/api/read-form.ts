import { errorAnswer, tooLargeAnswer, type ApiAnswer } from './api-answer.ts'

/** A parsed form, or the rejection. */
export type SentForm = { ok: true; form: FormData } | { ok: false; error: ApiAnswer }

const tooLarge = tooLargeAnswer('The request is larger than this endpoint accepts.')

/** Parses a multipart form. Counts bytes while reading and rejects a body over `maxBytes`. */
export async function readSentForm(request: Request, maxBytes: number): Promise<SentForm> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return { ok: false, error: tooLarge }
  const contentType = request.headers.get('content-type') ?? ''
  const bytes = await readBytes(request, maxBytes)
  if (bytes === undefined) return { ok: false, error: tooLarge }
  try {
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
    return { ok: true, form }
  } catch {
    return { ok: false, error: errorAnswer(400, 'The body is not a multipart form, or is incomplete.') }
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  try {
    for await (const chunk of request.body ?? []) {
      byteCount += chunk.byteLength
      if (byteCount > maxBytes) return undefined
      chunks.push(chunk)
    }
  } catch {
    // The client or a proxy aborted the request.
    return undefined
  }
  return Buffer.concat(chunks, byteCount)
}
