import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#protocol/json.ts'
import { scrubRuleNames } from '#server/scrub/scrub-rule.ts'
import { defaultProjectSettings, type ProjectSettings } from '#server/store/projects/settings.ts'
import { findExcessGrowth } from '#test/cpu-time.ts'
import { processEnvelope, readEnvelope } from '#test/envelope-work.ts'
import { createRandom } from '../../../bench/support/random.ts'
import { compileProjectRules } from './project-rules.ts'

const everyRule: ProjectSettings = {
  ...defaultProjectSettings,
  scrubbing: {
    ...defaultProjectSettings.scrubbing,
    rules: Object.fromEntries(scrubRuleNames.map((rule) => [rule, true])),
    fields: ['tracking', 'x1'],
    ipAddresses: 'remove',
  },
}

/** The cases in which processing one item of the given length takes superlinear time. */
function listExcess(
  cases: Iterable<[name: string, write: (characters: number) => unknown]>,
  { type = 'event', settings = defaultProjectSettings } = {},
): string[] {
  const rules = compileProjectRules(settings)
  return [...cases].flatMap(([name, write]) => {
    const growth = findExcessGrowth((characters) => {
      const envelope = readEnvelope(`{}\n{"type":"${type}"}\n${JSON.stringify(write(characters))}`)
      return () => processEnvelope(envelope, { projectId: 1, clientAddress: '192.0.2.1', rules })
    })
    return growth === undefined ? [] : [`${name}: ${growth.toFixed(0)} times`]
  })
}

/** Texts that a rule matches, and the texts that it requires next to them. */
const pieces =
  ' |\n|a|A|0|=|:|;|,|.|"|\\|/|//|%|%3D|%41|+|--|_|<|<a>|(|[|{|{}|%s|@|#|?|$|é|\ud800|password=|"pwd":"|token: |Bearer |-----BEGIN |/home/|C:\\Users\\|http://u:p@|eyJaaaaaaaaaa.|4111 |name="pwd"|    at |[token]|::|?a=b|a@b.c'.split(
    '|',
  )

/** Every piece alone, and some of their combinations. */
function listPatterns(combinationCount: number): string[] {
  const random = createRandom(7)
  const pick = () => pieces[Math.floor(random() * pieces.length)] ?? ''
  const combinations = Array.from({ length: combinationCount }, (_, index) =>
    Array.from({ length: 2 + (index % 3) }, pick).join(''),
  )
  return [...pieces, ...combinations]
}

/** Fields whose text is parsed specially. */
const textPlaces: Record<string, (text: string) => JsonObject> = {
  message: (text) => ({ logentry: { message: text, params: [1] } }),
  value: (extra) => ({ extra: { extra } }),
  name: (text) => ({ extra: { [text]: 1 } }),
  url: (url) => ({ request: { url } }),
  query: (query) => ({ request: { query_string: query } }),
  cookies: (cookies) => ({ request: { cookies } }),
  headers: (text) => ({ request: { headers: { cookie: text, host: text, 'user-agent': text } } }),
  exception: (text) => ({ exception: { values: [{ type: text, value: text }] } }),
  path: (text) => ({
    stacktrace: { frames: [{ vars: {}, filename: text, abs_path: text, function: text }] },
  }),
  source: (text) => ({ stacktrace: { frames: [{ vars: {}, context_line: text }] } }),
}

/** An event with a text in all of these fields. */
function eventWithText(text: string): JsonObject {
  const event: JsonObject = {}
  for (const put of Object.values(textPlaces)) Object.assign(event, put(text))
  return event
}

const elements: Record<string, (index: number) => Json> = {
  numbers: () => 1,
  secrets: (index) => `password=hunter${index}`,
  pairs: (index) => ['password', `x${index}`],
  frames: (index) => ({
    type: 'E',
    filename: `/home/u${index}/a.js`,
    vars: {},
    stacktrace: { frames: [{}] },
  }),
}

/** Names with their own parsers; colliding names become equal after scrubbing. */
const fields: Record<string, (index: number) => [string, Json]> = {
  'plain names': (index) => [`name${index.toString(36)}`, 'password=hunter2'],
  'colliding names': (index) => [`Bearer aaaaaaaaaaaa${100_000 + index}`, 1],
  'names of marks': (index) => [`[token] ${index}`, 1],
  'secret names': (index) => [`password${index}`, 'hunter2'],
}

/** Fields that accept lists and objects of any size. */
const places: Record<string, (value: Json) => JsonObject> = {
  event: (value) => (Array.isArray(value) || typeof value !== 'object' || value === null ? { value } : value),
  extra: (extra) => ({ extra }),
  tags: (tags) => ({ tags }),
  contexts: (contexts) => ({ contexts }),
  'one context': (trace) => ({ contexts: { trace, feedback: trace } }),
  modules: (modules) => ({ modules }),
  user: (user) => ({ user }),
  headers: (headers) => ({ request: { headers } }),
  cookies: (cookies) => ({ request: { cookies } }),
  query: (query) => ({ request: { query_string: query } }),
  data: (data) => ({ request: { data, env: data } }),
  breadcrumbs: (value) => ({ breadcrumbs: value }),
  'data of a breadcrumb': (data) => ({
    breadcrumbs: [{ category: 'console', data: { arguments: data, data } }],
  }),
  exceptions: (value) => ({ exception: value }),
  frames: (frames) => ({ exception: { values: [{ type: 'E', stacktrace: { frames } }] } }),
  variables: (vars) => ({ exception: { values: [{ type: 'E', stacktrace: { frames: [{ vars }] } }] } }),
  'lines of source': (lines) => ({
    stacktrace: { frames: [{ vars: {}, pre_context: lines, post_context: lines }] },
  }),
  mechanism: (data) => ({
    exception: { values: [{ type: 'E', mechanism: { type: 'm', data, meta: data } }] },
  }),
  threads: (value) => ({ threads: { values: value } }),
  parameters: (params) => ({ logentry: { message: 'password=%s '.repeat(600), params } }),
  fingerprint: (fingerprint) => ({ fingerprint }),
  meta: (meta) => ({ extra: { a: 'password=x' }, _meta: { extra: meta } }),
  remarks: (rem) => ({ extra: { a: 'password=x' }, _meta: { extra: { a: { '': { rem } } } } }),
  images: (images) => ({ debug_meta: { images } }),
  sdk: (sdk) => ({ sdk: { name: 'x', packages: sdk, integrations: sdk } }),
  csp: (csp) => ({ csp }),
}

/** The number of items that make the given number of JSON characters. */
function countOf(characters: number, make: (index: number) => unknown): number {
  return Math.ceil(characters / (JSON.stringify(make(12_345)).length + 1))
}

function listOf(characters: number, make: (index: number) => Json): Json[] {
  return Array.from({ length: countOf(characters, make) }, (_, index) => make(index))
}

function objectOf(characters: number, makeEntry: (index: number) => [string, Json]): JsonObject {
  const length = countOf(characters, makeEntry)
  return Object.fromEntries(Array.from({ length }, (_, index) => makeEntry(index)))
}

function* structuresIn(
  put: (value: Json) => JsonObject,
): Generator<[string, (characters: number) => JsonObject]> {
  for (const [name, make] of Object.entries(elements))
    yield [`list of ${name}`, (characters) => put(listOf(characters, make))]
  for (const [name, make] of Object.entries(fields))
    yield [`object of ${name}`, (characters) => put(objectOf(characters, make))]
}

const texts = (patterns: readonly string[], put: (text: string) => JsonObject) =>
  patterns.map((pattern): [string, (characters: number) => JsonObject] => [
    JSON.stringify(pattern),
    (characters) => put(pattern.repeat(Math.ceil(characters / pattern.length))),
  ])

describe('the processing time of an event', () => {
  it.each(Object.keys(textPlaces))('grows no faster than the text in its %s', (name) => {
    const put = textPlaces[name]
    expect(put && listExcess(texts(listPatterns(0), put))).toEqual([])
  })

  it('grows no faster than its texts when a project enables all scrubbing rules', () => {
    expect(listExcess(texts(listPatterns(40), eventWithText), { settings: everyRule })).toEqual([])
  })

  it.each(Object.keys(places))('grows no faster than the lists and objects in its %s', (name) => {
    const put = places[name]
    expect(put && listExcess(structuresIn(put))).toEqual([])
  })
})
