import { Readable, type Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib'
import type { Recipe } from './case.ts'

const chunkBytes = 65_536

/** Builds the bytes of a recipe. Compressed content is never in memory as a whole. */
export async function makeBody(recipe: Recipe): Promise<Buffer> {
  if (recipe.gzip) return compress(recipe.gzip, createGzip({ level: 9 }))
  if (recipe.deflate) return compress(recipe.deflate, createDeflate({ level: 9 }))
  if (recipe.zstd) return compress(recipe.zstd, createZstdCompress())
  if (recipe.br) {
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants
    const params = { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 24 }
    return compress(recipe.br, createBrotliCompress({ params }))
  }
  if (recipe.base64_of) return Buffer.from((await makeBody(recipe.base64_of)).toString('base64'))
  if (recipe.members) {
    const member = await makeBody(recipe.members)
    return Buffer.concat(Array.from({ length: recipe.times ?? 1 }, () => member))
  }
  return Buffer.concat([...plainChunks(recipe)])
}

async function compress(recipe: Recipe, compressor: Transform): Promise<Buffer> {
  const isCompressed = [recipe.gzip, recipe.br, recipe.zstd, recipe.deflate].some(Boolean)
  Readable.from(isCompressed ? [await makeBody(recipe)] : plainChunks(recipe)).pipe(compressor)
  const chunks: Buffer[] = []
  compressor.on('data', (chunk: Buffer) => chunks.push(chunk))
  await finished(compressor)
  return Buffer.concat(chunks)
}

function* plainChunks(recipe: Recipe): Generator<Buffer> {
  const { text, base64, repeat, repeat_index: numbered, times = 1, concat } = recipe
  if (text !== undefined) yield Buffer.from(text)
  else if (base64 !== undefined) yield Buffer.from(base64, 'base64')
  else if (repeat !== undefined) yield* repeated(Buffer.from(repeat), times)
  else if (numbered !== undefined) yield* counted(numbered, times)
  else if (concat !== undefined) for (const part of concat) yield* plainChunks(part)
  else throw new Error(`a body is made in a way that is not known: ${Object.keys(recipe).join(', ')}`)
}

function* repeated(one: Buffer, times: number): Generator<Buffer> {
  const perChunk = Math.max(1, Math.floor(chunkBytes / one.length))
  const chunk = Buffer.concat(Array.from({ length: perChunk }, () => one))
  for (let left = times; left > 0; left -= perChunk)
    yield left >= perChunk ? chunk : chunk.subarray(0, left * one.length)
}

function* counted(pattern: string, times: number): Generator<Buffer> {
  let text = ''
  for (let at = 0; at < times; at++) {
    text += pattern.replace('%d', String(at))
    if (text.length < chunkBytes) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}
