import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, type BrotliOptions, type ZlibOptions } from 'node:zlib'

/** A smaller file fits into one packet as it is. */
const fromBytes = 1_024

/** Pictures and fonts are compressed by their own formats. */
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
 * Puts a copy compressed with Brotli and one with gzip beside every file in `folder` that gains by it, as
 * well as either can: once at build time, so that serving one costs no CPU at all.
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
