import { describe, expect, it } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { FilterSample } from '#server/store/ingest/records.ts'
import { openTestStore, testId, testNow, testViewer } from '#test/test-store.ts'
import { listDigestView } from './events/events.ts'
import { getOutcomeView } from './outcomes/outcomes.ts'

const eventId = testId('dropped')
const traceId = testId('trace')
const dashed = eventId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
const stranger = {
  ...testViewer,
  memberships: testViewer.memberships.map((membership) => ({ ...membership, projectIds: [2] })),
}

function makeSample(fields: Partial<FilterSample>): FilterSample {
  return {
    projectId: 1,
    reason: 'ignored-error',
    category: 'error',
    receivedAt: testNow - 60_000,
    title: 'Error: Script error.',
    environment: 'production',
    payload: Buffer.from('{"message":"x"}'),
    ...fields,
  }
}

async function openSamples(...samples: Partial<FilterSample>[]) {
  const statements: string[] = []
  const store = await openTestStore({ onStatement: (sql) => statements.push(sql) })
  await createCommitter(store).commit({
    events: [],
    deadLetters: [],
    outcomes: [],
    samples: samples.map(makeSample),
  })
  const services = { store, clock: () => testNow }
  return {
    statements,
    find: (digest: string, viewer = testViewer) => listDigestView(services, viewer, digest),
    outcomes: (sample: string, viewer = testViewer) => getOutcomeView(services, viewer, { sample }),
  }
}

describe('the look-up of a filtered event', () => {
  it.each([
    ['digest', eventId.slice(0, 12)],
    ['event id', eventId],
    ['event id with dashes', dashed],
    ['event id in capitals', dashed.toUpperCase()],
    ['trace id', traceId],
  ])('finds its sample by the %s', async (_, text) => {
    const { find, outcomes } = await openSamples({ eventId, traceId }, { eventId: testId('other') })
    const { matches, dropped } = await find(text)
    expect(matches).toEqual([])
    expect(dropped).toMatchObject([
      {
        projectName: 'Web',
        reason: 'ignored-error',
        title: 'Error: Script error.',
        receivedAt: testNow - 60_000,
      },
    ])
    const { namedSamples } = await outcomes(text)
    expect(namedSamples).toMatchObject([{ id: dropped?.[0]?.sampleId, title: 'Error: Script error.' }])
  })

  it('finds a root span, which has no event id, by its trace', async () => {
    const { find } = await openSamples({ traceId, category: 'span', title: 'GET /healthz' })
    expect((await find(traceId)).dropped).toMatchObject([{ title: 'GET /healthz' }])
  })

  it('returns no data of projects that the viewer cannot access', async () => {
    const { find, outcomes } = await openSamples({ eventId, traceId })
    for (const text of [eventId.slice(0, 12), eventId, traceId]) {
      expect((await find(text, stranger)).dropped).toBeUndefined()
      expect((await outcomes(text, stranger)).namedSamples).toEqual([])
    }
  })

  it('is 404 for ids of no sample', async () => {
    const { find, outcomes } = await openSamples({ eventId }, {})
    expect((await find(testId('never'))).dropped).toBeUndefined()
    expect((await outcomes(testId('never'))).namedSamples).toEqual([])
    expect((await outcomes('no id')).namedSamples).toBeUndefined()
  })

  it('needs four statements at most, in three rounds', async () => {
    const { find, statements } = await openSamples({ eventId })
    statements.length = 0
    await find(eventId)
    expect(statements).toHaveLength(4)
  })
})
