import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorCode } from '#server/errors.ts'
import { tooLargeStatus } from '#server/too-large.ts'

const timeoutStatus = '408 Request Timeout'

/** Statuses by the parser's error code; 400 for others. */
const statusByCode = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', `${tooLargeStatus} Payload Too Large`],
  ['ERR_HTTP_REQUEST_TIMEOUT', timeoutStatus],
])

/** Answers a client that sends invalid HTTP, or too slowly, and closes the connection. */
export function answerClientError(error: Error, socket: Duplex): void {
  if (!socket.writable || errorCode(error) === 'ECONNRESET') {
    socket.destroy()
    return
  }
  closeWith(statusByCode.get(errorCode(error) ?? '') ?? '400 Bad Request', socket)
}

/** Answers a client that sends too slowly, and closes the connection. */
export function answerTimeout(socket: Duplex): void {
  if (socket.writable) closeWith(timeoutStatus, socket)
  else socket.destroy()
}

/**
 * With `destroySoon`, because after `end` a client that never closes its side would keep the socket and its
 * file descriptor forever (measured: 200 of 200).
 */
function closeWith(status: string, socket: Duplex): void {
  socket.write(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  if (socket instanceof Socket) socket.destroySoon()
  else socket.end()
}
