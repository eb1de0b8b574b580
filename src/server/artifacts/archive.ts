import { finished } from 'node:stream/promises'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { limits } from '#server/limits.ts'
import { ChunkReader, type ArchivePart } from './chunk-reader.ts'

/** The archive is invalid; the message is for the uploading client. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

/** An open archive. */
export interface Archive {
  /** The bytes of a file, decompressed; undefined if there is none. Throws an `ArchiveError`. */
  read(path: string, maxBytes: number): Promise<Buffer | undefined>
}

/**
 * Opens an artifact bundle, which is a ZIP with eight bytes before it. Throws an `ArchiveError` if it is not
 * an archive, or if its declared size exceeds the limit.
 */
export async function openArchive(parts: readonly ArchivePart[]): Promise<Archive> {
  const reader = new ChunkReader(parts)
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(reader, reader.byteCount, {
      lazyEntries: true,
      autoClose: false,
      validateEntrySizes: true,
      // The library treats a name that leads out of a folder as an error, but not a backslash.
      strictFileNames: false,
    })
    const entries = await listEntries(zip)
    return { read: (path, maxBytes) => readEntry(zip, entries.get(path), maxBytes) }
  } catch (thrown) {
    throw toArchiveError(thrown)
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  // One entry is the manifest.
  if (zip.entryCount > limits.artifactBundleFiles + 1)
    throw new ArchiveError(`the bundle has more than ${limits.artifactBundleFiles} files`)
  const entries = new Map<string, Entry>()
  let unpackedBytes = 0
  for await (const entry of zip.eachEntry()) {
    unpackedBytes += entry.uncompressedSize
    if (unpackedBytes > limits.artifactBundleUnpackedBytes)
      throw new ArchiveError(`the bundle unpacks to more than ${limits.artifactBundleUnpackedBytes} bytes`)
    entries.set(entry.fileName, entry)
  }
  return entries
}

async function readEntry(
  zip: ZipFile,
  entry: Entry | undefined,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (entry === undefined) return undefined
  if (entry.uncompressedSize > maxBytes)
    throw new ArchiveError(`${nameOf(entry)} has more than ${maxBytes} bytes`)
  try {
    const stream = await zip.openReadStreamPromise(entry)
    // If an entry decompresses to more than its declared size, the stream reports an error.
    const bytes = Buffer.allocUnsafe(entry.uncompressedSize)
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      length += chunk.copy(bytes, length)
    })
    await finished(stream)
    return bytes.subarray(0, length)
  } catch (thrown) {
    throw toArchiveError(thrown)
  }
}

function nameOf({ fileName }: Entry): string {
  return JSON.stringify(fileName.slice(0, 200))
}

function toArchiveError(thrown: unknown): Error {
  if (thrown instanceof ArchiveError) return thrown
  // The library and zlib throw plain errors for unreadable archives.
  const message = thrown instanceof Error ? thrown.message : 'unreadable'
  return new ArchiveError(`the bundle is not a readable archive: ${message.slice(0, 200)}`)
}
