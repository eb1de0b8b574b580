import type { Socket } from 'node:net'
import { limits } from '#server/limits.ts'

const status = Buffer.from('HTTP/1.1 100')
const endOfHead = '\r\n\r\n'

/**
 * Removes an unsolicited `100 Continue` from the bytes that a connection's socket reads. A client must be
 * able to read it (RFC 9110 §15.2), but undici closes the connection, and the final answer is lost.
 */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket)
  let held: Buffer = Buffer.alloc(0)
  let writtenBytes = 0
  socket.read = (size?: number): unknown => {
    for (;;) {
      const chunk: unknown = read(size)
      if (!Buffer.isBuffer(chunk)) return chunk
      // After a request was written, an answer begins. Only there are incomplete bytes held back.
      const isStart = held.length > 0 || socket.bytesWritten > writtenBytes
      writtenBytes = socket.bytesWritten
      const bytes = removeContinue(held.length === 0 ? chunk : Buffer.concat([held, chunk]))
      held = isStart && mayBecomeContinue(bytes) ? bytes : Buffer.alloc(0)
      if (held.length === 0 && bytes.length > 0) return bytes
    }
  }
}

function removeContinue(bytes: Buffer): Buffer {
  let rest = bytes
  while (rest.subarray(0, status.length).equals(status)) {
    const end = rest.indexOf(endOfHead)
    if (end === -1) break
    rest = rest.subarray(end + endOfHead.length)
  }
  return rest
}

function mayBecomeContinue(bytes: Buffer): boolean {
  const { length } = bytes
  return (
    length <= limits.forwardAnswerHeadBytes &&
    bytes.subarray(0, status.length).equals(status.subarray(0, length))
  )
}
