import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { threadCpuMs } from '#test/cpu-time.ts'
import { groupEvent } from './group-event.ts'
import type { Grouping } from './grouping.ts'

const fixtures = new URL('../../../test/fixtures/grouping/', import.meta.url)
const context = { eventId: 'f'.repeat(32), receivedAt: 1_790_000_000_000 }

interface Partition {
  together: string[][]
  alone: string[]
  nothingContributes: string[]
}

function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, fixtures), 'utf8'))
}

function group(raw: unknown): Grouping {
  return groupEvent(normalizeEvent(raw, context))
}

const partition = readFixture('partition.json') as Partition
const names = [...partition.together.flat(), ...partition.alone, ...partition.nothingContributes]
const groupings = new Map(names.map((name) => [name, group(readFixture(`inputs/${name}`))]))
const hashOf = (name: string) => groupings.get(name)?.hash

describe('groupEvent on hostile events', () => {
  const word = fc.oneof(
    fc.constantFrom(
      '',
      '__proto__',
      'constructor',
      'javascript',
      'native',
      'java',
      '{{ default }}',
      '<',
      '((',
      'a::b<c>(d)',
    ),
    fc.string({ unit: 'binary', maxLength: 60 }),
  )
  const frame = fc.record(
    {
      function: word,
      module: word,
      filename: word,
      abs_path: word,
      package: word,
      context_line: word,
      platform: word,
      in_app: fc.oneof(fc.boolean(), fc.jsonValue()),
      lineno: fc.integer(),
    },
    { requiredKeys: [] },
  )
  const stacktrace = fc.record({ frames: fc.array(fc.oneof(frame, fc.jsonValue()), { maxLength: 5 }) })
  const mechanism = fc.record(
    {
      type: word,
      exception_id: fc.nat(4),
      parent_id: fc.nat(4),
      is_exception_group: fc.boolean(),
      synthetic: fc.boolean(),
      meta: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const exception = fc.record({ type: word, value: word, stacktrace, mechanism }, { requiredKeys: [] })
  const event = fc.record(
    {
      platform: word,
      message: fc.oneof(word, fc.jsonValue()),
      fingerprint: fc.oneof(fc.array(word, { maxLength: 3 }), fc.jsonValue()),
      checksum: word,
      exception: fc.record({ values: fc.array(fc.oneof(exception, fc.jsonValue()), { maxLength: 4 }) }),
      threads: fc.record({
        values: fc.array(fc.record({ current: fc.boolean(), stacktrace }), { maxLength: 3 }),
      }),
      csp: fc.jsonValue(),
      template: fc.oneof(frame, fc.jsonValue()),
      tags: fc.dictionary(word, word),
    },
    { requiredKeys: [] },
  )

  it('returns the same hash for the same event, for any event', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: event }, fc.jsonValue()), (raw) => {
        const first = group(raw)
        expect(first.hash).toMatch(/^[0-9a-f]{32}$/)
        expect(group(structuredClone(raw))).toEqual(first)
      }),
      { numRuns: 500 },
    )
  })

  it('ignores the time and the user of an event', () => {
    fc.assert(
      fc.property(event, fc.nat(), word, (raw, seconds, user) => {
        const other = { ...raw, timestamp: seconds, user: { id: user }, release: user, breadcrumbs: [] }
        expect(group(other).hash).toBe(group(raw).hash)
      }),
    )
  })

  it('needs time proportional to the frames of deep stacks', () => {
    const frames = Array.from({ length: 250 }, () => ({
      function: '<('.repeat(200),
      filename: 'a.b'.repeat(300),
    }))
    const values = Array.from({ length: 50 }, () => ({ type: 'E', stacktrace: { frames } }))
    const start = threadCpuMs()
    group({ platform: 'native', exception: { values } })
    expect(threadCpuMs() - start).toBeLessThan(2000)
  })
})

describe('groupEvent on the fixtures', () => {
  it.each(partition.together.map((members) => [members.join(', '), members]))(
    'keeps together %s',
    (_, members) => {
      const hashes = new Set(members.map(hashOf))
      expect(hashes.size).toBe(1)
    },
  )

  it.each(partition.alone)('leaves alone %s', (name) => {
    const sharing = names.filter((other) => hashOf(other) === hashOf(name))
    expect(sharing).toEqual([name])
  })

  it('uses the fallback, and never the issue of other events, when nothing contributes', () => {
    for (const name of partition.nothingContributes) {
      expect(groupings.get(name)).toMatchObject({ source: 'fallback', mechanism: 'v1' })
    }
  })

  it('returns the results of its release', () => {
    const hashes = Object.fromEntries(names.toSorted().map((name) => [name, hashOf(name)]))
    expect(hashes).toEqual(readFixture('hashes-v1.json'))
  })
})
