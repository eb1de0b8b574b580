import { describe, expect, it } from 'vitest'
import { parseAuthHeader } from '#protocol/auth.ts'
import { parseEnvelope } from '#protocol/envelope.ts'
import { parseRateLimits } from '#protocol/rate-limits.ts'
import { parseReleaseVersion } from '#protocol/release-version.ts'
import { FrameCache } from '#server/normalize/frame-cache.ts'
import { findExcessGrowth } from '#test/cpu-time.ts'
import { processEnvelope } from '#test/envelope-work.ts'

function readEnvelope(text: string): void {
  const parsed = parseEnvelope(Buffer.from(text))
  if (parsed.ok) processEnvelope(parsed.envelope, { projectId: 1 })
}

/** One item whose payload is a list of these. */
const itemOf =
  (type: string, [start, element, end]: [string, string, string]) =>
  (characters: number) => {
    const list = Array.from({ length: Math.ceil(characters / (element.length + 1)) }, () => element)
    return `{}\n{"type":"${type}"}\n${start}${list.join(',')}${end}`
  }

const repeated =
  (text: string, start = '', end = '') =>
  (characters: number) =>
    start + text.repeat(Math.ceil(characters / text.length)) + end

const envelopes: Record<string, (characters: number) => string> = {
  blanks: repeated(' ', '{}\n'),
  'line ends': repeated('\n', '{}\n'),
  'empty items': repeated('{"type":"x"}\n\n', '{}\n'),
  'items with a length': repeated('{"type":"log","length":1}\nx\n', '{}\n'),
  'a line that never ends': repeated('x', '{}\n{"type":"event"}\n'),
  'a deep header': repeated('{"a":', ''),
  sessions: repeated('{"type":"session"}\n{"sid":"a","started":"2026-11-21T00:00:00Z"}\n', '{}\n'),
  buckets: itemOf('sessions', ['{"aggregates":[', '{"started":"2026-11-21T00:00:00Z","exited":1}', ']}']),
  'a client report': itemOf('client_report', [
    '{"discarded_events":[',
    '{"reason":"r","category":"error","quantity":1}',
    ']}',
  ]),
  'spans of a transaction': itemOf('transaction', ['{"spans":[', '{"op":"x"}', ']}']),
  spans: itemOf('span', ['{"items":[', '{"is_segment":true,"name":"x"}', ']}']),
  'security reports': itemOf('raw_security', [
    '[',
    '{"type":"csp-violation","body":{"blockedURL":"x"}}',
    ']',
  ]),
  'a user report': repeated('x ', '{"event_id":"a"}\n{"type":"user_report"}\n{"comments":"', '"}'),
  feedback: repeated('x ', '{}\n{"type":"feedback"}\n{"contexts":{"feedback":{"message":"', '"}}}'),
  files: repeated('{"type":"attachment","filename":"password=x"}\nx\n', '{}\n{"type":"event"}\n{}\n'),
  'bare numbers': repeated('NaN,', '{}\n{"type":"event"}\n{"extra":[', '1]}'),
  'an open string': repeated('\\"NaN', '{}\n{"type":"event"}\n{"a":"'),
}

describe('the time to read an envelope grows with its size', () => {
  it.each(Object.entries(envelopes))('%s', (_, write) => {
    const growth = findExcessGrowth((characters) => {
      const text = write(characters)
      return () => readEnvelope(text)
    })
    expect(growth).toBeUndefined()
  })
})

const frames = '"stacktrace":{"frames":['

const payloads: Record<string, (characters: number) => string> = {
  'traces without an end': repeated(frames, '{"a":1,'),
  'traces in traces': (characters) => {
    const count = Math.ceil(characters / (frames.length + 4))
    return `{${`${frames}{`.repeat(count)}${'}]}'.repeat(count)}}`
  },
  'traces in a row': repeated(`{${frames}{}]}},`, '[', '1]'),
}

describe('the time to parse a payload grows with its size', () => {
  it.each(Object.entries(payloads))('%s', (_, write) => {
    const growth = findExcessGrowth((characters) => {
      const bytes = Buffer.from(write(characters))
      const cache = new FrameCache()
      return () => cache.parsePayload(bytes)
    })
    expect(growth).toBeUndefined()
  })
})

const lines: Record<string, (text: string) => unknown> = {
  'the header of authentication': (text) => parseAuthHeader(text),
  'the limits of an upstream': parseRateLimits,
  'the name of a release': parseReleaseVersion,
}

describe('the time to read a line grows with its length', () => {
  it.each(Object.entries(lines))('%s', (_, read) => {
    const excess = ['a', '=', ',', ', ', ':', ';', '.', '-', '+', '1.', '@', ' ', '"', 'sentry_key='].filter(
      (piece) =>
        findExcessGrowth((characters) => {
          const text = repeated(piece)(characters)
          return () => read(text)
        }) !== undefined,
    )
    expect(excess).toEqual([])
  })
})
