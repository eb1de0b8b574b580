import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { AnswerReader, type AnswerProgress } from './answer-reader.ts'

/** Reads an answer in pieces of so many bytes; what the last piece came to, and the head. */
function read(text: string, pieceBytes = text.length) {
  const bytes = Buffer.from(text, 'latin1')
  const reader = new AnswerReader()
  let progress: AnswerProgress = 'awaited'
  for (let at = 0; at < bytes.length && (progress === 'awaited' || progress === 'begun'); at += pieceBytes)
    progress = reader.add(bytes.subarray(at, at + pieceBytes))
  return { progress, head: reader.head }
}

const answers: [what: string, text: string, progress: AnswerProgress, status: number | undefined][] = [
  ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', 'whole', 200],
  ['no phrase, and line feeds only', 'HTTP/1.1 202 \ncontent-length: 0\n\n', 'whole', 202],
  [
    'chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n',
    'whole',
    200,
  ],
  ['no body', 'HTTP/1.1 204 No Content\r\n\r\n', 'whole', 204],
  [
    'hints before it',
    'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    'whole',
    200,
  ],
  ['its end at the end of the connection', 'HTTP/1.1 200 OK\r\n\r\n{}', 'begun', 200],
  ['the same after another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n{}', 'begun', 200],
  ['a part of its body', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}', 'begun', 200],
  [
    'a word that it closes',
    'HTTP/1.1 503 No\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n',
    'over',
    503,
  ],
  ['an old version', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', 'over', 200],
  ['more than a little', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(limits.forwardAnswerBytes + 1)}`, 'over', 200],
  ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n{}', 'over', 200],
  [
    'another length each time',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n',
    'malformed',
    undefined,
  ],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n',
    'malformed',
    undefined,
  ],
  ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'malformed', undefined],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'malformed', undefined],
  [
    'another protocol that nobody asked for',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'malformed',
    undefined,
  ],
  ['a head without an end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`, 'malformed', undefined],
]

describe('an answer with', () => {
  it.each(answers)('%s is read, however it is cut', (...[, text, progress, status]) => {
    const expected = { progress, status }
    for (const pieceBytes of text.length > 1_000 ? [1_000, text.length] : [1, 2, 3, 7, text.length]) {
      const found = read(text, pieceBytes)
      expect({ progress: found.progress, status: found.head?.status }).toEqual(expected)
    }
  })

  it('more behind it than it says is not asked again on the same connection', () => {
    for (const end of ['Content-Length: 0\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n']) {
      const text = `HTTP/1.1 200 OK\r\n${end}`
      expect(read(text).progress).toBe('whole')
      expect(read(`${text}HTTP/1.1 500 No`).progress).toBe('over')
    }
  })

  it('limits tells of them', () => {
    const { head } = read(
      'HTTP/1.1 429 No\r\nretry-after: 7\r\nRETRY-AFTER: 9\r\nx-sentry-rate-limits: 1:error:key\r\nX-Sentry-Rate-Limits: 2::key\r\nKeep-Alive: timeout=5, max=9\r\nContent-Length: 0\r\n\r\n',
    )
    expect(head).toMatchObject({
      status: 429,
      retryAfter: '7',
      rateLimits: '1:error:key, 2::key',
      keptSeconds: 5,
      isKept: true,
    })
  })

  it('anything in it raises no error', () => {
    const piece = fc.constantFrom(
      'HTTP/1.1 200 OK',
      'HTTP/1.1 100 ',
      '\r\n',
      '\n',
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
      ':',
      '3',
      '0',
      'a',
      '\0',
    )
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 9 }), (pieces, pieceBytes) => {
        read(pieces.join(''), pieceBytes)
      }),
    )
  })
})
