import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { errorCode } from '#server/errors.ts'
import type { BodyGate } from '#server/ingest/admission/body-gate.ts'
import type { BodyResult } from '#server/ingest/ingest-request.ts'
import { limits } from '#server/limits.ts'
import { tooLarge, type TooLarge } from '#server/too-large.ts'

interface Codec {
  atOnce(bytes: Uint8Array, maxBytes: number): Buffer
  inThreadPool(bytes: Uint8Array, maxBytes: number): Promise<Buffer>
}

const gunzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip)
const inflate = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate)
const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflateRaw)
const brotliDecompress = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)
const zstdDecompress = promisify<Uint8Array, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress)

const zstdParams = { [zlib.constants.ZSTD_d_windowLogMax]: limits.zstdWindowLog }

/**
 * For a large body: each chunk is a round trip to the thread pool, and Node's 16 KiB take four times the CPU
 * (measured).
 */
const chunkSize = 262_144

const codecs: Record<string, Codec> = {
  gzip: {
    atOnce: (bytes, maxBytes) => zlib.gunzipSync(bytes, { maxOutputLength: maxBytes }),
    inThreadPool: (bytes, maxBytes) => gunzip(bytes, { maxOutputLength: maxBytes, chunkSize }),
  },
  deflate: {
    atOnce: (bytes, maxBytes) =>
      (hasZlibHeader(bytes) ? zlib.inflateSync : zlib.inflateRawSync)(bytes, { maxOutputLength: maxBytes }),
    inThreadPool: (bytes, maxBytes) =>
      (hasZlibHeader(bytes) ? inflate : inflateRaw)(bytes, { maxOutputLength: maxBytes, chunkSize }),
  },
  br: {
    atOnce: (bytes, maxBytes) => zlib.brotliDecompressSync(bytes, { maxOutputLength: maxBytes }),
    inThreadPool: (bytes, maxBytes) => brotliDecompress(bytes, { maxOutputLength: maxBytes, chunkSize }),
  },
  zstd: {
    atOnce: (bytes, maxBytes) =>
      zlib.zstdDecompressSync(bytes, { maxOutputLength: maxBytes, params: zstdParams }),
    inThreadPool: (bytes, maxBytes) =>
      zstdDecompress(bytes, { maxOutputLength: maxBytes, chunkSize, params: zstdParams }),
  },
}

const unsupported: BodyResult = {
  ok: false,
  status: 415,
  reason: 'invalid_compression',
  problem: 'unsupported content encoding',
  headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
}

/**
 * Decodes a body's `Content-Encoding`, one layer and at most `limits.ingestBodyBytes`: the limit is checked
 * while decompressing, so a decompression bomb costs no more than the limit. Small bodies are decompressed
 * synchronously, larger ones in the thread pool, a few at a time.
 *
 * Rejects a body over the limit, an unknown encoding (415) and invalid data (400). Synchronous for a body
 * without an encoding.
 */
export function decodeBody(
  bytes: Buffer,
  encoding: string | undefined,
  gate: BodyGate,
): BodyResult | Promise<BodyResult> {
  const name = toCodecName(encoding)
  if (name === undefined) {
    return bytes.length > limits.ingestBodyBytes ? tooLargeBody() : { ok: true, bytes }
  }
  const codec = Object.hasOwn(codecs, name) ? codecs[name] : undefined
  return codec === undefined ? unsupported : inflateBody(codec, bytes, gate)
}

async function inflateBody(codec: Codec, bytes: Buffer, gate: BodyGate): Promise<BodyResult> {
  try {
    const small = bytes.length <= limits.inflateAtOnceWireBytes ? inflateSmall(codec, bytes) : undefined
    if (small !== undefined) return { ok: true, bytes: small }
    return { ok: true, bytes: await gate.inflate(() => codec.inThreadPool(bytes, limits.ingestBodyBytes)) }
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return tooLargeBody()
    return {
      ok: false,
      status: 400,
      reason: 'invalid_compression',
      problem: 'the body does not match its content encoding',
    }
  }
}

/** The rejection of a body over the limit, on the wire or after decompression. */
export function tooLargeBody(): TooLarge {
  return tooLarge('the request body is larger than allowed')
}

/**
 * Undefined for a body that is not encoded. sentry-ruby 5 sends an empty value and sentry-android 2 `UTF-8`;
 * both are ignored, as in Relay.
 */
function toCodecName(encoding: string | undefined): string | undefined {
  if (encoding === undefined) return undefined
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity' || name === 'utf-8') return undefined
  return name === 'x-gzip' ? 'gzip' : name
}

function inflateSmall(codec: Codec, bytes: Buffer): Buffer | undefined {
  try {
    return codec.atOnce(bytes, limits.inflateAtOnceBytes)
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw error
  }
}

/** `deflate` means zlib's format (RFC 9110 §8.4.1.2), but some clients send the raw stream. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}
