import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { indexedTags } from '#server/normalize/fields/tags.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { eventTitle } from '#server/normalize/title.ts'
import { scrubEvent } from './scrub-event.ts'
import { createScrubPlan } from './scrub-plan.ts'
import { defaultScrubSettings, type ScrubSettings } from './scrub-settings.ts'

const everything: ScrubSettings = {
  ...defaultScrubSettings,
  rules: { email: true, ip: true, imei: true, mac: true, uuid: true },
  fields: ['member'],
  excludedFields: ['safe'],
  ipAddresses: 'remove',
}

/** Secrets that are found by their form, at any position. */
const shapedSecrets = [
  '4111111111111111',
  '5555 5555 5555 4444',
  'DE89370400440532013000',
  '078-05-1120',
  'AKIAIOSFODNN7EXAMPLE',
  `ghp_${'aB3'.repeat(12)}`,
  `sk_live_${'aB3'.repeat(8)}`,
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N',
  'Bearer q7Zk2mX9vL4p',
  'password=hunter2swordfish',
  'postgres://app:hunter2swordfish@db/shop',
  '"clientSecret":"hunter2swordfish"',
]

/** The secret parts, which must be removed. */
const traces = shapedSecrets.map((secret) =>
  secret.replace(/^(?:Bearer |password=|.*:\/\/app:|"clientSecret":")/, '').replace(/(?:@db.*|")$/, ''),
)

const wordBefore = fc.constantFrom('', 'a ', 'user jo, ', '(', '{"x": ', 'line\n', 'é ', '🙂 ')
const wordAfter = fc.constantFrom('', ' b', ', then', ')', '\nnext', ' 🙂')
const shaped = fc
  .tuple(wordBefore, fc.constantFrom(...shapedSecrets), wordAfter)
  .map(([before, secret, after]) => before + secret + after)

/** Free-form places of an event, and its texts. */
const places: ((value: Json) => JsonObject)[] = [
  (value) => ({ extra: { nested: { deeper: [value] } } }),
  (value) => ({ contexts: { shop: { note: value } } }),
  (value) => ({ tags: { note: value } }),
  (value) => ({ tags: [['note', value]] }),
  (value) => ({ user: { id: '1', segment: value } }),
  (value) => ({ message: value }),
  (value) => ({ logentry: { formatted: value } }),
  (value) => ({ logentry: { message: 'saw %s', params: [value] } }),
  (value) => ({ transaction: value }),
  (value) => ({ exception: { values: [{ type: 'E', value }] } }),
  (value) => ({ exception: [{ type: 'E', value: 'x', mechanism: { type: 'm', data: { note: value } } }] }),
  (value) => ({
    exception: { values: [{ value: 'x', stacktrace: { frames: [{ vars: { note: value } }] } }] },
  }),
  (value) => ({
    threads: { values: [{ name: value, stacktrace: { frames: [{ function: 'f', vars: [value] }] } }] },
  }),
  (value) => ({ breadcrumbs: [{ message: value }] }),
  (value) => ({ breadcrumbs: { values: [{ data: { body: value } }] } }),
  (value) => ({ request: { url: 'https://x/', data: value } }),
  (value) => ({ request: { headers: { 'X-Note': value }, env: { NOTE: value } } }),
  (value) => ({ request: { query_string: { note: value }, cookies: { note: value } } }),
  (value) => ({ fingerprint: ['a', value] }),
  (value) => ({ csp: { document_uri: 'https://x/', 'script-sample': value } }),
  (value) => ({ anything: value }),
]

const planted = fc.tuple(fc.constantFrom(...places), shaped).map(([place, value]) => place(value))

describe('secrets at random paths', () => {
  it('do not survive in the payload, nor in derived fields', () => {
    fc.assert(
      fc.property(fc.array(planted, { minLength: 1, maxLength: 4 }), fc.boolean(), (parts, isBrowser) => {
        const event: JsonObject = Object.fromEntries([
          ['platform', isBrowser ? 'javascript' : 'node'],
          ...parts.flatMap((part) => Object.entries(part)),
        ])
        const { value } = scrubEvent(event, createScrubPlan(defaultScrubSettings))
        const normalized = normalizeEvent(value, { eventId: '0'.repeat(32), receivedAt: 0 })
        const kept = JSON.stringify([value, normalized, eventTitle(normalized), indexedTags(normalized)])
        for (const trace of traces) expect(kept).not.toContain(trace)
      }),
      { numRuns: 1_000 },
    )
  })

  it('do not survive under a secret name in any form', () => {
    const secret = fc.string({ minLength: 8, unit: 'grapheme' }).map((text) => `s3cr3t${text}`)
    const name = fc.constantFrom('password', 'apiToken', 'X-Auth', 'client_secret', 'memberName')
    const value = fc.oneof(
      secret,
      fc.array(secret, { minLength: 1 }),
      fc.record({ a: secret, b: fc.array(secret) }),
    )
    fc.assert(
      fc.property(name, value, fc.constantFrom(...places), (key, hidden, place) => {
        const event = place({ [key]: hidden, list: [{ [key]: hidden }], pairs: [[key, hidden]] })
        expect(JSON.stringify(scrubEvent(event, createScrubPlan(everything)).value)).not.toContain('s3cr3t')
      }),
    )
  })
})

const names = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'password',
    'token',
    'cookies',
    'Cookie',
    '__proto__',
    'value',
    'key',
    'safe',
    '',
    'params',
    'message',
  ),
  fc.constantFrom(
    'exception',
    'values',
    'stacktrace',
    'frames',
    'vars',
    'request',
    'headers',
    'logentry',
    '_meta',
    'extra',
  ),
)
const texts = fc.oneof(
  shaped,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...shapedSecrets,
        '[Filtered]',
        '[token]',
        'password',
        'cookie',
        '=',
        ':',
        ' ',
        '"',
        "'",
        '\\',
        '{',
        ')',
        ';',
        '&',
        '%3D',
        '%s',
        '--',
        '</',
        '<pwd>',
        '/home/',
        '@',
        '//',
        '1.2.3.4',
        '::1',
        '\n',
        'Bearer ',
        '-----BEGIN PRIVATE KEY-----',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
)
const { tree: payloads } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    texts,
    fc.jsonValue({ maxDepth: 2 }),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.tuple(names, tie('tree')),
    fc.dictionary(names, tie('tree'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))

/** Parsed like an envelope, with `__proto__` as an own property. */
function parse(json: string): JsonObject {
  const value: unknown = JSON.parse(json)
  return isJsonObject(value) ? value : {}
}

describe('any payload', () => {
  const events = fc.dictionary(names, payloads, { maxKeys: 6, noNullPrototype: true })

  it.each([
    ['the defaults', defaultScrubSettings],
    ['every rule', everything],
  ])('is the same after a second scrub, and is not changed in place: %s', (_name, settings) => {
    fc.assert(
      fc.property(events, (event) => {
        const json = JSON.stringify(event)
        const value = parse(json)
        const once = scrubEvent(value, createScrubPlan(settings))
        expect(JSON.stringify(value)).toBe(json)
        const onceJson = JSON.stringify(once.value)
        const again = parse(onceJson)
        expect(scrubEvent(again, createScrubPlan(settings)).value).toBe(again)
      }),
      { numRuns: 500 },
    )
  })
})
