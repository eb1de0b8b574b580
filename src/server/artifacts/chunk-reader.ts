import { Readable } from 'node:stream'
import yauzl from 'yauzl'

/** A part of an archive: its place, and how to get its bytes. */
export interface ArchivePart {
  byteCount: number
  read: () => Promise<Uint8Array>
}

/** Reads an archive that lies in parts; one of them is in memory at a time. */
export class ChunkReader extends yauzl.RandomAccessReader {
  readonly byteCount: number
  private readonly parts: readonly ArchivePart[]
  private held: { part: ArchivePart; bytes: Promise<Uint8Array> } | undefined

  constructor(parts: readonly ArchivePart[]) {
    super()
    this.parts = parts
    this.byteCount = parts.reduce((sum, { byteCount }) => sum + byteCount, 0)
  }

  /** Of yauzl: the bytes from `start` up to `end`. */
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
