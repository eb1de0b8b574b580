import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, type BrotliOptions, type ZlibOptions } from 'node:zlib'

/** A smaller file fits into one packet. */
const fromBytes = 1_024

/** Image and font formats are compressed already. */
const extensions = new Set(['.js', '.css', '.svg', '.json', '.txt', '.html', '.webmanifest'])

const compressBrotli = promisify<Uint8Array, BrotliOptions, Buffer>(brotliCompress)
const compressGzip = promisify<Uint8Array, ZlibOptions, Buffer>(gzip)

const copies = [
  { ending: '.br', compress: (bytes: Uint8Array) => compressBrotli(bytes, {}) },
  {
    ending: '.gz',
    compress: (bytes: Uint8Array) => compressGzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
  },
]

/**
 * Writes a Brotli and a gzip copy next to each file in `folder` that shrinks, at maximum quality. Done at
 * build time, so that serving needs no CPU.
 */
export async function writeCompressedCopies(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile() || !extensions.has(extname(entry.name))) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    if (bytes.length < fromBytes) continue
    for (const { ending, compress } of copies) {
      const compressed = await compress(bytes)
      if (compressed.length < bytes.length) await writeFile(path + ending, compressed)
    }
  }
}
