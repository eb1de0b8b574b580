const lineEnd = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')
const nothing = Buffer.alloc(0)

/**
 * Counts the requests that end on one connection, and parses only as much as that needs: bodies of known
 * length and chunked ones, pipelined or one after another (RFC 9112 §6 and §7.1).
 */
export class RequestCounter {
  private awaited: 'head' | 'body' | 'chunk size' | 'chunk' | 'trailer' = 'head'
  /** Bytes of a body or a chunk that have not arrived, including the line end after it. */
  private missingBytes = 0
  /** The beginning of an incomplete head or line. */
  private rest = nothing

  /** Reads the next bytes, and returns the number of requests that they complete. */
  add(bytes: Buffer): number {
    const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes])
    let endedCount = 0
    let offset = 0
    for (;;) {
      const next = this.readPart(all, offset)
      if (next === undefined) break
      offset = next
      if (this.awaited === 'head') endedCount += 1
    }
    this.rest = this.missingBytes > 0 ? nothing : Buffer.from(all.subarray(offset))
    return endedCount
  }

  /** The offset after the current part; undefined while it is incomplete. */
  private readPart(all: Buffer, offset: number): number | undefined {
    if (this.awaited === 'body' || this.awaited === 'chunk') {
      const taken = Math.min(this.missingBytes, all.length - offset)
      this.missingBytes -= taken
      if (this.missingBytes > 0) return undefined
      this.awaited = this.awaited === 'body' ? 'head' : 'chunk size'
      return offset + taken
    }
    const mark = this.awaited === 'head' ? headEnd : lineEnd
    const end = all.indexOf(mark, offset)
    if (end === -1) return undefined
    this.readLines(all.toString('latin1', offset, end))
    return end + mark.length
  }

  private readLines(lines: string): void {
    if (this.awaited === 'trailer') {
      if (lines === '') this.awaited = 'head'
    } else if (this.awaited === 'chunk size') {
      const chunkBytes = Number.parseInt(lines, 16)
      this.awaited = chunkBytes > 0 ? 'chunk' : 'trailer'
      this.missingBytes = chunkBytes > 0 ? chunkBytes + lineEnd.length : 0
    } else if (/^transfer-encoding:/im.test(lines)) {
      this.awaited = 'chunk size'
    } else {
      this.awaited = 'body'
      this.missingBytes = Number(/^content-length: *([0-9]+)/im.exec(lines)?.[1] ?? 0)
    }
  }
}
