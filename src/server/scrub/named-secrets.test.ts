import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { scrubEvent, scrubText } from './scrub-event.ts'
import { createScrubPlan } from './scrub-plan.ts'
import { defaultScrubSettings } from './scrub-settings.ts'

const fixtures = new URL('../../../test/fixtures/scrubbing/', import.meta.url)

function readPairs(file: string): [name: string, value: string][] {
  const json: unknown = JSON.parse(readFileSync(new URL(file, fixtures), 'utf8'))
  if (!isJsonObject(json)) return []
  return Object.entries(json).map(([name, value]) => [name, typeof value === 'string' ? value : ''])
}

/** The locations in an event that have named values. */
const places: Record<string, (name: string, value: string) => JsonObject> = {
  field: (name, value) => ({ extra: { deep: [{ [name]: value }] } }),
  tag: (name, value) => ({ tags: [[name, value]] }),
  pair: (name, value) => ({ request: { headers: [[name, value]] } }),
  'key and value': (name, value) => ({ extra: { list: [{ key: name, value }] } }),
  variable: (name, value) => ({
    exception: { values: [{ stacktrace: { frames: [{ vars: { [name]: value } }] } }] },
  }),
}

/** The same within texts, in which names have no spaces. */
const texts: Record<string, (name: string, value: string) => string> = {
  json: (name, value) => `got ${JSON.stringify({ a: 1, [name]: value })} back`,
  query: (name, value) => `/x?a=1&${encodeURIComponent(name)}=${encodeURIComponent(value)}&b=2`,
}

describe('a secret', () => {
  it.each(readPairs('secret.json'))('under the name %s is scrubbed at any path', (name, value) => {
    for (const [place, toEvent] of Object.entries(places)) {
      const { value: scrubbed } = scrubEvent(toEvent(name, value), createScrubPlan(defaultScrubSettings))
      const { _meta, ...kept } = scrubbed
      expect([place, JSON.stringify(kept)]).toEqual([place, expect.stringContaining('[Filtered]')])
      expect([place, JSON.stringify(kept).replace(name, '')]).toEqual([
        place,
        expect.not.stringContaining(value),
      ])
    }
    if (name.includes(' ')) return
    for (const toText of Object.values(texts)) {
      expect(scrubText(toText(name, value), createScrubPlan(defaultScrubSettings))).toContain('[Filtered]')
    }
  })

  it('in a list under a secret name is scrubbed, and so is a number', () => {
    const extra = { recoveryCodes: ['ab12-cd34', 'ef56-gh78'], pin: 4711, sid: ['qZ7kP2mX9vL4tR8sW1yB'] }
    expect(scrubEvent({ extra }, createScrubPlan(defaultScrubSettings)).value['extra']).toEqual({
      recoveryCodes: ['[Filtered]', '[Filtered]'],
      pin: '[Filtered]',
      sid: ['[Filtered]'],
    })
  })
})

describe('a value that only resembles a secret', () => {
  it.each(readPairs('harmless.json'))('is kept: %s = %s', (name, value) => {
    for (const [place, toEvent] of Object.entries(places)) {
      const event = toEvent(name, value)
      expect([place, scrubEvent(event, createScrubPlan(defaultScrubSettings)).value]).toEqual([place, event])
    }
    for (const toText of Object.values(texts)) {
      expect(scrubText(toText(name, value), createScrubPlan(defaultScrubSettings))).toBe(toText(name, value))
    }
  })

  it('is kept when it is an object under a name like session or passport', () => {
    const event = {
      extra: { session: { id: 7, startedAt: '2024-01-02' }, passport: { user: 7 }, seed: { a: 1 } },
    }
    expect(scrubEvent(event, createScrubPlan(defaultScrubSettings)).value).toBe(event)
  })
})

function examplesOf(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
}

describe('docs/scrubbing.md', () => {
  const document = readFileSync(new URL('../../../docs/scrubbing.md', import.meta.url), 'utf8')
  const [, section = ''] = /### Examples\n([^]*?)\n### /.exec(document) ?? []
  const rows = section
    .split('\n')
    .filter((line) => /^\| [a-z]/.test(line) && !line.startsWith('| kind'))
    .map((line) => line.split('|').map((cell) => cell.trim()))

  it.each(rows.map(([, kind = '', found, left]) => ({ kind, found, left })))(
    'is right about $kind',
    ({ found, left }) => {
      expect(examplesOf(found).length).toBeGreaterThan(0)
      expect(examplesOf(left).length).toBeGreaterThan(0)
      for (const text of examplesOf(found))
        expect(scrubText(text, createScrubPlan(defaultScrubSettings))).not.toBe(text)
      for (const text of examplesOf(left))
        expect(scrubText(text, createScrubPlan(defaultScrubSettings))).toBe(text)
    },
  )
})
