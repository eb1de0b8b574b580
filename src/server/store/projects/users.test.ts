import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import type { Connection } from '#server/store/engine/connection.ts'
import { prepareIngestStatements } from '#server/store/ingest/statements.ts'
import { userHash } from '#server/store/issues/id.ts'
import { estimateUserCount, recordProjectUsers } from '#server/store/issues/user-sketch.ts'
import { recordDeletion } from '#server/store/triage/deletion.ts'
import { findIssueId, mergeIssues, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { openTestStore, testProjectIds } from '#test/test-store.ts'
import { recordProjectDeletion } from './deleted.ts'

const usersOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => userHash(`id:${from + index}`))

/** By project. */
const readCounts = (connection: Connection): Record<number, number> =>
  Object.fromEntries(
    connection
      .prepare('SELECT project_id, user_count FROM project_user_counts')
      .all()
      .map((row) => [Number(row['project_id']), Number(row['user_count'])]),
  )

const readHashes = (connection: Connection, projectId: number) =>
  connection
    .prepare('SELECT user_hash FROM project_users WHERE project_id = ? ORDER BY user_hash')
    .all(projectId)
    .map((row) => Number(row['user_hash']))

describe('the users of a project', () => {
  it('count once for any number of issues, merged or not', async () => {
    const { store, receive } = await openKeptStore()
    await receive(
      { ...ofIssue('a'), userKey: 'id:1' },
      { ...ofIssue('a'), userKey: 'id:2' },
      { ...ofIssue('b'), userKey: 'id:2' },
      ofIssue('b'),
      { ...ofIssue('c'), projectId: 2, userKey: 'id:1' },
    )
    await mergeIssues(store, 'b', 'a')
    await receive({ ...ofIssue('b'), userKey: 'id:3' }, { ...ofIssue('b'), userKey: 'id:1' })
    expect(readCounts(store.connection)).toEqual({ 1: 3, 2: 1 })
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('are kept when an issue is deleted or expires, and are deleted with the project', async () => {
    const { store, receive, setDaysAgo, retain, count } = await openKeptStore()
    setDaysAgo(100)
    await receive({ ...ofIssue('old'), userKey: 'id:1' }, { ...ofIssue('deleted'), userKey: 'id:2' })
    const issueIds = [findIssueId(store, 'deleted') ?? -1]
    const actor = { userId: 'ada', at: store.clock(), discards: false }
    await recordDeletion(store, { issueIds, projectIds: testProjectIds }, actor)
    setDaysAgo(0)
    await receive({ ...ofIssue('new'), userKey: 'id:3' }, { ...ofIssue('c'), projectId: 2, userKey: 'id:1' })
    await retain()
    expect([count('issues'), count('issue_users')]).toEqual([2, 2])
    expect(readCounts(store.connection)).toEqual({ 1: 3, 2: 1 })
    expect(findBrokenInvariants(store)).toEqual([])

    await recordProjectDeletion(store, 1)
    expect(readCounts(store.connection)).toEqual({ 2: 1 })
    expect(count('project_users')).toBe(1)
  })

  it('of a deleted project are no longer counted', async () => {
    const store = await openTestStore()
    await recordProjectDeletion(store, 1)
    recordProjectUsers(prepareIngestStatements(store), 1, usersOf(0, 3))
    expect(readCounts(store.connection)).toEqual({})
  })

  it('are stored in a bounded number of rows, the same for any order and any batches', async () => {
    const store = await openTestStore()
    const { connection } = store
    const statements = prepareIngestStatements(store)
    connection.exec('BEGIN')
    for (let from = 0; from < 20_000; from += 500)
      recordProjectUsers(statements, 1, usersOf(from, from + 500))
    recordProjectUsers(statements, 2, usersOf(0, 20_000).toReversed())
    const smallest = usersOf(0, 20_000)
      .toSorted((one, other) => one - other)
      .slice(0, limits.usersPerIssueExact)
    expect(readHashes(connection, 1)).toEqual(smallest)
    expect(readHashes(connection, 2)).toEqual(smallest)
    const estimate = estimateUserCount(smallest.at(-1) ?? 0)
    expect(readCounts(connection)).toEqual({ 1: estimate, 2: estimate })
  })
})
