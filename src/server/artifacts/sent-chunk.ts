import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, type ZlibOptions } from 'node:zlib'
import { limits } from '#server/limits.ts'
import type { ArtifactChunk } from '#server/store/artifacts/chunks.ts'

/** The chunks in a form, or the error of one of them. */
export type SentChunks = { ok: true; chunks: ArtifactChunk[] } | { ok: false; problem: string }

const unzip = promisify<Uint8Array, ZlibOptions, Buffer>(gunzip)

/**
 * Parses the chunks of an upload from a form: the files `file`, and `file_gzip` for compressed ones, each
 * named by the SHA-1 of its uncompressed bytes. The name is used only for the comparison.
 */
export async function parseSentChunks(form: FormData): Promise<SentChunks> {
  const files = [...form].filter((entry): entry is [string, File] => typeof entry[1] !== 'string')
  if (files.length > limits.chunksPerRequest)
    return { ok: false, problem: `more than ${limits.chunksPerRequest} parts in one request` }
  const chunks: ArtifactChunk[] = []
  for (const [field, file] of files) {
    if (field !== 'file' && field !== 'file_gzip') continue
    const checksum = /^[\da-f]{40}$/i.test(file.name) ? file.name.toLowerCase() : undefined
    if (checksum === undefined) return { ok: false, problem: 'a part is not named by its SHA-1' }
    const sent = new Uint8Array(await file.arrayBuffer())
    const data = field === 'file' ? sent : await inflate(sent)
    if (data === undefined || data.byteLength > limits.chunkBytes)
      return { ok: false, problem: `a part is broken, or has more than ${limits.chunkBytes} bytes` }
    if (hash('sha1', data, 'hex') !== checksum)
      return { ok: false, problem: 'the checksum of a part is not that of its bytes' }
    chunks.push({ checksum: Buffer.from(checksum, 'hex'), data })
  }
  return { ok: true, chunks }
}

async function inflate(bytes: Uint8Array): Promise<Buffer | undefined> {
  try {
    return await unzip(bytes, { maxOutputLength: limits.chunkBytes })
  } catch {
    return undefined
  }
}
