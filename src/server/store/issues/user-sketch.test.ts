import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { prepareIngestStatements } from '#server/store/ingest/statements.ts'
import { openTestStore } from '#test/test-store.ts'
import { userHash } from './id.ts'
import { recordUsers } from './user-sketch.ts'

async function openSketch() {
  const store = await openTestStore()
  const statements = prepareIngestStatements(store)
  store.connection.exec('BEGIN')
  let userCount = 0
  const add = (users: string[]) => {
    userCount = recordUsers(statements, { projectId: 1, issueId: 1, userCount }, users.map(userHash))
    return userCount
  }
  const keptCount = () =>
    Number(store.connection.prepare('SELECT count(*) AS n FROM issue_users').get()?.['n'])
  return { add, keptCount }
}

const usersOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `id:${from + index}`)

describe('counting distinct users', () => {
  it('is exact while every hash is stored, with any number of repetitions', async () => {
    const { add } = await openSketch()
    expect(add(usersOf(0, 500))).toBe(500)
    expect(add(usersOf(0, 500))).toBe(500)
    expect(add(usersOf(400, limits.usersPerIssueExact))).toBe(limits.usersPerIssueExact)
    expect(add(usersOf(0, limits.usersPerIssueExact))).toBe(limits.usersPerIssueExact)
  })

  it('is within three standard errors at 50,000 users, never decreases, and needs a bounded number of rows', async () => {
    const { add, keptCount } = await openSketch()
    let before = 0
    for (let from = 0; from < 50_000; from += 1_000) {
      const counted = add(usersOf(from, from + 1_000))
      expect(counted).toBeGreaterThanOrEqual(before)
      expect(Math.abs(counted / (from + 1_000) - 1)).toBeLessThan(3 * 0.0313)
      before = counted
    }
    expect(keptCount()).toBe(limits.usersPerIssueExact)
    expect(add(usersOf(0, 50_000))).toBe(before)
  }, 60_000)
})
