import { Readable } from 'node:stream'
import yauzl from 'yauzl'

/** A chunk of an archive: its offset, and how to read its bytes. */
export interface ArchivePart {
  byteCount: number
  read: () => Promise<Uint8Array>
}

/** Reads an archive that is split into chunks, with one of them in memory at a time. */
export class ChunkReader extends yauzl.RandomAccessReader {
  readonly byteCount: number
  private readonly parts: readonly ArchivePart[]
  private held: { part: ArchivePart; bytes: Promise<Uint8Array> } | undefined

  constructor(parts: readonly ArchivePart[]) {
    super()
    this.parts = parts
    this.byteCount = parts.reduce((sum, { byteCount }) => sum + byteCount, 0)
  }

  /** Called by yauzl: the bytes from `start` to before `end`. */
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.readRange(start, end), { objectMode: false })
  }

  private async *readRange(start: number, end: number): AsyncGenerator<Uint8Array> {
    let offset = 0
    for (const part of this.parts) {
      const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, part.byteCount)]
      if (from < to) yield (await this.hold(part)).subarray(from, to)
      offset += part.byteCount
    }
  }

  private hold(part: ArchivePart): Promise<Uint8Array> {
    if (this.held?.part !== part) this.held = { part, bytes: part.read() }
    return this.held.bytes
  }
}
