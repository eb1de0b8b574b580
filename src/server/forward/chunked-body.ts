/** Longest line of a chunk's size with its extensions, and of a trailer. */
const lineCharacters = 4_096
/** Size in hexadecimal digits, and extensions that nobody uses. */
const chunkSize = /^([0-9a-f]{1,8})[\t ]*(?:;.*)?$/i

/** Finds where a chunked body ends (RFC 9112 §7.1), and keeps nothing of it. */
export class ChunkedBody {
  private awaited: 'size' | 'data' | 'trailer' = 'size'
  /** Of a chunk, with the line end behind it. */
  private missingBytes = 0
  private line = ''

  /** Takes more bytes in: the offset behind the body's end, or whether it goes on. */
  add(bytes: Buffer): number | 'goes on' | 'malformed' {
    let offset = 0
    for (;;) {
      if (this.awaited === 'data') {
        const taken = Math.min(this.missingBytes, bytes.length - offset)
        this.missingBytes -= taken
        offset += taken
        if (this.missingBytes > 0) return 'goes on'
        this.awaited = 'size'
      }
      const end = bytes.indexOf(0x0a, offset)
      this.line += bytes.toString('latin1', offset, end === -1 ? bytes.length : end)
      if (this.line.length > lineCharacters) return 'malformed'
      if (end === -1) return 'goes on'
      offset = end + 1
      const line = this.line.replace(/\r$/, '')
      this.line = ''
      if (this.awaited === 'trailer' && line === '') return offset
      if (this.awaited === 'size' && !this.readSize(line)) return 'malformed'
    }
  }

  private readSize(line: string): boolean {
    const size = chunkSize.exec(line)?.[1]
    if (size === undefined) return false
    const chunkBytes = Number.parseInt(size, 16)
    this.awaited = chunkBytes === 0 ? 'trailer' : 'data'
    this.missingBytes = chunkBytes === 0 ? 0 : chunkBytes + '\r\n'.length
    return true
  }
}
