import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { searchedTexts } from '#search/term.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { threadCpuMs } from '#test/cpu-time.ts'
import { openTestStore, makeEventRecord, testId, testNow, entryOf } from '#test/test-store.ts'
import { selectByWord } from './search/match-sql.ts'
import { issueWords } from './text.ts'

describe('the words of a text', () => {
  it('are followed by the words inside its names', () => {
    expect(issueWords('TypeError in handleClick()')).toBe(
      'TypeError in handleClick() Type Error handle Click',
    )
    expect(issueWords('new XMLHttpRequest')).toBe('new XMLHttpRequest XML Http Request')
    expect(issueWords('a plain TEXT')).toBe('a plain TEXT')
  })

  it('are found in time linear in the length of a hostile text', () => {
    const startedAt = threadCpuMs()
    issueWords('a'.repeat(200_000))
    issueWords('aA'.repeat(100_000))
    expect(threadCpuMs() - startedAt).toBeLessThan(2_000)
  })
})

async function openWithIssue(subtitle: string) {
  const store = await openTestStore()
  const committer = createCommitter(store)
  const add = (fields: Parameters<typeof makeEventRecord>[0]) =>
    committer.commit(entryOf(makeEventRecord(fields)))
  await add({ subtitle, message: 'caused by a lost socket' })
  const find = async (text: string, { isPhrase = false } = {}) => {
    const issues = selectByWord({ kind: 'text', value: { pieces: [text] }, in: searchedTexts, isPhrase })
    const { rows } = await sql`${issues}`.execute(store.db)
    return rows.length
  }
  return { store, add, find, drain: () => committer.drain() }
}

describe('an issue', () => {
  it('is found by title, value, culprit and message as soon as it is created', async () => {
    const { find } = await openWithIssue('x is not a function')
    for (const text of ['error', 'is not a', 'rend', 'socket']) expect(await find(text)).toBe(1)
    expect(await find('is not a', { isPhrase: true })).toBe(1)
    for (const text of ['is not a f', 'not is']) expect(await find(text, { isPhrase: true })).toBe(0)
  })

  it('is found by the text of its latest event, not by that of the event before', async () => {
    const { add, find } = await openWithIssue('user 17 is unknown')
    await add({ eventId: testId('b'), subtitle: 'user 18 is unknown', occurredAt: testNow + 1 })
    expect([await find('17'), await find('18'), await find('socket')]).toEqual([0, 1, 0])
  })

  it('is not found any more when it is deleted', async () => {
    const { store, find } = await openWithIssue('x')
    store.connection.exec('DELETE FROM issues')
    expect(await find('TypeError')).toBe(0)
  })
})
