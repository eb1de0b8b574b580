import { request as httpRequest } from 'node:http'

/** A body sent in chunks, so that its length is unknown in advance. */
export interface ChunkedPost {
  headers?: Record<string, string>
  byteCount: number
  method?: string
}

const piece = Buffer.alloc(65_536, ' ')

/** Sends `byteCount` blanks as fast as accepted and resolves with the answer's status, or `closed`. */
export function postChunked(url: string, post: ChunkedPost): Promise<number | 'closed'> {
  const { headers = {}, byteCount, method = 'POST' } = post
  return new Promise((resolve) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      resolve(response.statusCode ?? 'closed')
      response.resume()
    })
    request.on('error', () => resolve('closed'))
    let left = byteCount
    function send(): void {
      while (left > 0) {
        const part = left < piece.length ? piece.subarray(0, left) : piece
        left -= part.length
        if (request.write(part)) continue
        request.once('drain', send)
        return
      }
      request.end()
    }
    send()
  })
}
