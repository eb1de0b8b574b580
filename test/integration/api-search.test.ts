import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject } from '#test/start-server.ts'

/** Sentry's search terms over the web API, on events of real SDKs. */

const unhandledId = 'c0ffee00'.repeat(4)
const unhandled = {
  event_id: unhandledId,
  platform: 'java',
  level: 'fatal',
  timestamp: Date.now() / 1000,
  release: 'app@2.1.0+77',
  logger: 'checkout',
  sdk: { name: 'sentry.java.android', version: '8.2.0' },
  user: { id: '9', geo: { country_code: 'DE', city: 'Munich' } },
  request: { method: 'POST', url: 'https://shop.example/pay' },
  contexts: {
    trace: { trace_id: 'feed0000'.repeat(4), span_id: 'feed000000000000' },
    os: { name: 'Android', version: '16', build: 'BP2A', kernel_version: '6.1.99' },
    device: { family: 'Pixel', model: 'Pixel 9', model_id: 'tokay', brand: 'google', arch: 'arm64-v8a' },
    response: { status_code: 502 },
    flags: { values: [{ flag: 'new-checkout', result: true }] },
  },
  exception: {
    values: [
      {
        type: 'CheckoutException',
        value: 'no stock (left)',
        mechanism: { type: 'UncaughtExceptionHandler', handled: false },
        stacktrace: {
          frames: [{ function: 'pay', module: 'shop.Checkout', filename: 'Checkout.java', in_app: true }],
        },
      },
    ],
  },
}

async function send(project: typeof fixtureProject | typeof otherProject, body: string | Uint8Array) {
  const answer = await postEnvelope(server.origin, body, { project })
  expect(answer.status).toBe(200)
}

const captured = (name: string) => readFileSync(new URL(`../fixtures/envelopes/${name}`, import.meta.url))

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server))
await send(fixtureProject, captured('node-10.75.2.errorCause.02.event.body'))
await send(otherProject, captured('browser-11.12.0.error.03.event.body'))
await send(otherProject, envelopeOf({ event_id: unhandledId }, ['event', unhandled]))
const counted = server.services.store.connection.prepare(
  `SELECT count(*) AS tags FROM issue_tags WHERE key = 'level'`,
)
// The SDK's clock is corrected, so that a capture from long ago happened now.
server.services.store.connection.exec(
  `UPDATE issues SET first_seen_at = first_seen_at - 259200000, last_seen_at = last_seen_at - 259200000 WHERE platform <> 'java'`,
)
await vi.waitUntil(() => counted.get()?.['tags'] === 3, { timeout: 10_000 })
afterAll(() => server.stop())

const Issues = v.array(v.object({ platform: v.string() }))

/** The issues that a query finds in any status, each by its platform. */
async function find(query: string): Promise<string[]> {
  const { status, json } = await call(`/organizations/default/issues/?query=${encodeURIComponent(query)}`)
  expect({ query, status, json }).toMatchObject({ query, status: 200 })
  return v
    .parse(Issues, json)
    .map(({ platform }) => platform)
    .toSorted()
}

const all = ['java', 'javascript', 'node']

describe('a query of the issues of an organization', () => {
  it.each([
    ['project:fixture', ['node']],
    ['!project:fixture', ['java', 'javascript']],
    ['project:other level:fatal', ['java']],
    ['project:fixture OR level:fatal', ['java', 'node']],
    ['project:nowhere', []],
    [`project.id:${otherProject.id}`, ['java', 'javascript']],
    ['project.name:[fixture, other]', all],
  ])('is limited to the projects that it names: %s', async (query, platforms) => {
    expect(await find(query)).toEqual(platforms)
  })

  it.each([
    ['is:unresolved issue.priority:[high, medium]', all],
    ['error.unhandled:true', ['java']],
    ['error.unhandled:false', ['javascript', 'node']],
    ['error.handled:1', ['javascript', 'node']],
    ['error.type:CheckoutException', ['java']],
    ['error.type:*Exception', ['java']],
    ['!error.type:TypeError', ['java']],
    ['error.value:"no stock"', ['java']],
    ['error.mechanism:generic', ['javascript', 'node']],
    ['age:-24h', ['java']],
    ['age:+24h', ['javascript', 'node']],
    ['times_seen:1', all],
    ['times_seen:>1', []],
    ['first_release:app@2.1.0+77', ['java']],
    ['firstRelease:web@*', ['javascript']],
    ['platform:node', ['node']],
    ['platform.name:java*', ['java', 'javascript']],
    ['sdk.name:sentry.javascript.*', ['javascript', 'node']],
    ['sdk.version:8.2.0', ['java']],
    ['issue:[FIXTURE-1, OTHER-2]', ['java', 'node']],
    ['issue.category:error', all],
    ['issue.type:feedback', []],
    ['event.type:error', all],
    [`trace:${'feed0000'.repeat(4)}`, ['java']],
    [`id:${unhandledId}`, ['java']],
    ['stack.filename:Checkout.java', ['java']],
    ['stack.filename:*scenarios.js', ['javascript']],
    ['stack.function:outer', ['node']],
    ['stack.module:shop.*', ['java']],
    ['http.url:*/pay', ['java']],
    ['http.method:POST', ['java']],
    ['http.status_code:502', ['java']],
    ['flags["new-checkout"]:true', ['java']],
    ['flags["new-checkout"]:false', []],
    ['has:flags["new-checkout"] has:flags', ['java']],
    ['!flags["new-checkout"]:true', ['javascript', 'node']],
    ['url:https://shop.example/pay', ['java']],
    ['timestamp:-24h', ['java']],
    ['event.timestamp:+24h', ['javascript', 'node']],
    ['assigned_or_suggested:[me, my_teams, none]', all],
    ['assigned_or_suggested:me', []],
    ['has:assignee', []],
    ['!has:assignee', all],
    ['has:logger', ['java']],
    ['device.family:Pixel', ['java']],
    ['device.model:"Pixel 9"', ['java']],
    ['device.model_id:tokay device.brand:google device.arch:arm64*', ['java']],
    ['os.name:Android os.version:16 os.build:BP2A os.kernel_version:6.1.*', ['java']],
    ['geo.country_code:DE geo.city:Munich', ['java']],
    ['user.id:[7, 9]', ['java', 'javascript']],
    ['user.email:*@example.com', ['javascript']],
    ['release.version:>=2.0', ['java', 'javascript']],
    ['release.version:<2.0.0', ['node']],
    ['release.package:app release.build:77', ['java']],
    ['is:new', ['java']],
    ['is:ongoing', ['javascript', 'node']],
    ['is:escalating', []],
    ['is:archived_until_escalating', []],
    ['logger:checkout OR (page:cart AND !level:fatal)', ['java', 'javascript']],
    ['!(level:fatal OR platform:node)', ['javascript']],
    ['*stock*', ['java']],
    ['"CheckoutException: no stock (left)"', ['java']],
    ['title:"CheckoutException: no stock"', ['java']],
    ['message:stock', ['java']],
  ])('supports %s', async (query, platforms) => {
    expect(await find(query)).toEqual(platforms)
  })

  it.each([
    'bookmarks:me',
    'is:for_review',
    'is:linked',
    'device.simulator:true',
    'release.stage:adopted',
    'assigned:#web',
  ])('that Culvert does not support is rejected: %s', async (query) => {
    const { status, json } = await call(`/organizations/default/issues/?query=${encodeURIComponent(query)}`)
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain(query.replace(/^is:/, '').split(':')[0])
  })

  it('searches for any other key as a tag', async () => {
    expect(await find('page:cart')).toEqual(['javascript'])
    expect(await find('pagee:cart')).toEqual([])
  })
})
