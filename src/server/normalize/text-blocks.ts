const blockBytes = 65_536
/** Longer texts have a buffer of their own. */
const sharedCharacters = 16_384
/** The bytes of a UTF-16 unit in UTF-8, at most. */
const bytesPerUnit = 3

/**
 * Encodes texts as UTF-8, several in one block: allocating a buffer takes longer than encoding a text of
 * 8 kB. A block is released once none of its texts is referred to.
 */
export class TextBlocks {
  private readonly encoder = new TextEncoder()
  private free = new Uint8Array()

  /** Returns bytes that share their buffer with other texts: do not transfer or modify it. */
  encode(text: string): Uint8Array {
    if (text.length > sharedCharacters) return Buffer.from(text)
    if (this.free.length < text.length * bytesPerUnit) this.free = new Uint8Array(blockBytes)
    const { written } = this.encoder.encodeInto(text, this.free)
    const bytes = this.free.subarray(0, written)
    this.free = this.free.subarray(written)
    return bytes
  }
}
