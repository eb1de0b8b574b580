import { limits } from '#server/limits.ts'
import { parseAnswerHead, type AnswerHead } from './answer-head.ts'
import { ChunkedBody } from './chunked-body.ts'

/**
 * How far an answer has come: `begun` from when its status is known, `whole` when the connection stands at a next one, `over`
 * when nothing more of it is waited for but the connection cannot be used again.
 */
export type AnswerProgress = 'awaited' | 'begun' | 'whole' | 'over' | 'malformed'

const noBytes: Buffer = Buffer.alloc(0)
const headEnd = /\r?\n\r?\n/

/** Reads one answer of an upstream piece by piece. Of its body nothing is kept, and no more than a little is waited for. */
export class AnswerReader {
  /** Once it has begun. */
  head: AnswerHead | undefined
  private readonly chunked = new ChunkedBody()
  private headBytes = noBytes
  private bodyBytes = 0

  /** Takes the next bytes in. Not to be called any more once it is whole, over or malformed. */
  add(bytes: Buffer): AnswerProgress {
    if (this.head !== undefined) return this.addBody(bytes)
    const all = this.headBytes.length === 0 ? bytes : Buffer.concat([this.headBytes, bytes])
    const text = all.toString('latin1', 0, limits.forwardAnswerHeadBytes)
    const end = headEnd.exec(text)
    if (end === null) {
      this.headBytes = all
      return all.length < limits.forwardAnswerHeadBytes ? 'awaited' : 'malformed'
    }
    this.headBytes = noBytes
    const head = parseAnswerHead(text.slice(0, end.index))
    // Nobody asked to switch protocols.
    if (head === undefined || head.status === 101) return 'malformed'
    const rest = all.subarray(end.index + end[0].length)
    // Something that is said beforehand; the answer comes behind it.
    if (head.status < 200) return rest.length > 0 ? this.add(rest) : 'awaited'
    this.head = head
    return this.addBody(rest)
  }

  private addBody(bytes: Buffer): AnswerProgress {
    const { framing } = this.head ?? { framing: { kind: 'closing' } }
    this.bodyBytes += bytes.length
    if (this.bodyBytes > limits.forwardAnswerBytes) return 'over'
    if (framing.kind === 'closing') return 'begun'
    if (framing.kind === 'length') {
      if (this.bodyBytes < framing.bodyBytes) return 'begun'
      return this.toEnd(this.bodyBytes > framing.bodyBytes)
    }
    const end = this.chunked.add(bytes)
    if (end === 'goes on') return 'begun'
    return this.toEnd(end === 'malformed' || end < bytes.length)
  }

  /** Who sends more than an answer is not asked again on the same connection. */
  private toEnd(hasMore: boolean): AnswerProgress {
    return this.head?.isKept === true && !hasMore ? 'whole' : 'over'
  }
}
