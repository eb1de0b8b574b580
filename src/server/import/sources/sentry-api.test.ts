import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { serveLocally } from '#test/listen-locally.ts'
import { createSentryApi } from './sentry-api.ts'
import { SourceClient } from './source-client.ts'

const eventIds = ['a', 'b', 'c', 'd', 'e'].map((digit) => digit.repeat(32))

/** A Sentry whose list has five events, and which answers 404 for what was sent as some of them. */
async function connect(isMissing: (eventId: string) => boolean) {
  const requested: string[] = []
  const server = createServer(({ url = '' }, response) => {
    const [, eventId] = /\/events\/([0-9a-f]{32})\/json\/$/.exec(url) ?? []
    if (eventId !== undefined) requested.push(eventId)
    if (eventId !== undefined && isMissing(eventId)) response.writeHead(404).end()
    else if (url.includes('/releases/'))
      response.end(JSON.stringify(Array.from({ length: limits.importedReleases + 2 }, () => ({}))))
    else if (eventId !== undefined) response.end(JSON.stringify({ event_id: eventId, isAsSent: true }))
    else
      response.end(
        JSON.stringify(eventIds.map((id) => ({ eventID: id, dateReceived: '2026-11-20T10:00:00Z' }))),
      )
  })
  const { origin: url, close } = await serveLocally(server)
  onTestFinished(close)
  const client = new SourceClient({ url, token: 'token', report: () => {} })
  return { source: createSentryApi({ client, kind: 'sentry', projects: [] }), requested }
}

const project = {
  id: 1,
  sourceSlug: 'shop',
  organizationSlug: 'acme',
  name: 'Shop',
  keys: [],
  settings: {},
  rules: [],
}

const issue = {
  id: '1',
  shortId: 'SHOP-1',
  title: '',
  url: '',
  status: 'unresolved',
  eventCount: 5,
  commentCount: 0,
} as const

const [first = '', second = ''] = eventIds

it.each([
  ['the first event', [first], [undefined, true, true, true, true]],
  ['another event', [second], [true, undefined, true, true, true]],
  ['the first two events', [first, second], [undefined, undefined, true, true, true]],
])('without the JSON of %s, the others are read as they were sent', async (_, missing, expected) => {
  const { source } = await connect((eventId) => missing.includes(eventId))
  const events = await source.readEvents(project, issue, 10)
  expect(events.map(({ value }) => value['isAsSent'])).toEqual(expected)
})

it('reads one release more than are imported, so that the report can say that there are others', async () => {
  const { source } = await connect(() => true)
  let count = 0
  for await (const _ of source.listReleases(project)) count += 1
  expect(count).toBe(limits.importedReleases + 1)
})

it('of a Sentry without the JSON of events, only the first few are requested', async () => {
  const { source, requested } = await connect(() => true)
  const events = await source.readEvents(project, issue, 10)
  expect(events.map(({ value }) => value['isAsSent'])).toEqual(eventIds.map(() => undefined))
  expect(requested).toHaveLength(limits.importMissingOriginals)
})
