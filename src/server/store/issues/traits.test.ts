import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId, testNow } from '#test/test-store.ts'
import { issueIdCandidate } from './id.ts'

const eventOf = (group: string, name: string, fields: Partial<EventRecord> = {}) =>
  makeEventRecord({ groupHash: testId(group), eventId: testId(name), ...fields })
const inFile = (name: string) => ({ traits: `stack.filename\t${name}` })

async function openTraits() {
  const store = await openTestStore()
  const read = () =>
    store.connection
      .prepare('SELECT issue_id, value FROM issue_traits WHERE issue_id > 0 ORDER BY value')
      .all()
      .map((row) => [row['issue_id'], row['value']])
  return { store, commit: store.commit, read }
}

const idOf = (group: string) => issueIdCandidate(1, testId(group), 0)

describe('the traits of an issue', () => {
  it('are those of its events, each once', async () => {
    const { commit, read } = await openTraits()
    await commit(eventOf('a', '1', inFile('one.js')))
    await commit(eventOf('a', '2', inFile('one.js')))
    await commit(eventOf('a', '3', inFile('two.js')), eventOf('b', '4', inFile('one.js')))
    expect(read()).toHaveLength(3)
    expect(read()).toEqual(
      expect.arrayContaining([
        [idOf('a'), 'one.js'],
        [idOf('a'), 'two.js'],
        [idOf('b'), 'one.js'],
      ]),
    )
  })

  // On PostgreSQL the cache is cleared when another connection writes, here the tests of other files.
  it.skipIf(onPostgres)('are of few events in a minute, and few of a key', async () => {
    const { commit, read } = await openTraits()
    const send = async (count: number, at: number) => {
      for (let index = 0; index < count; index += 1)
        await commit(
          eventOf('a', `${at} ${index}`, {
            ...inFile(`${at} ${index}.js`),
            occurredAt: at + index,
            receivedAt: at + index,
          }),
        )
    }
    await send(limits.traitTexts + 5, testNow)
    expect(read()).toHaveLength(limits.traitTexts)
    await send(limits.traitTexts + 5, testNow + limits.traitIntervalMs)
    expect(read()).toHaveLength(2 * limits.traitTexts)
    for (let minute = 2; minute < 9; minute += 1)
      await send(limits.traitTexts, testNow + minute * limits.traitIntervalMs)
    expect(read()).toHaveLength(limits.traitsPerIssueKey)
  })

  it('are those of all parts of an issue', async () => {
    const { store, commit, read } = await openTraits()
    await commit(eventOf('a', '1', inFile('one.js')), eventOf('b', '2', inFile('two.js')))
    const issueIds = [idOf('a'), idOf('b')]
    const merged = await recordMerge(store, { issueIds, projectIds: [1] }, { userId: 'ada', at: testNow })
    const into = 'intoId' in merged ? merged.intoId : 0
    expect(read().filter(([id]) => id === into)).toEqual([
      [into, 'one.js'],
      [into, 'two.js'],
    ])
  })
})
