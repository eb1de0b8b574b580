import { expect, it } from 'vitest'
import { fromIdBytes } from '#server/store/binary-id.ts'
import type { Store } from '#server/store/store.ts'
import { recordDeletion } from '#server/store/triage/deletion.ts'
import { foldMergedDeltas, mergeInto, recordMerge, recordUnmerge } from '#server/store/triage/merge.ts'
import { createPartStatements } from '#server/store/triage/part-statements.ts'
import { recordUndo } from '#server/store/triage/undo.ts'
import { findIssueId, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { testNow, testProjectIds } from '#test/test-store.ts'
import { findEvent } from './events.ts'

const ada = { userId: 'ada', at: testNow }

/** More than one transaction moves. */
const many = 1_150

/** A store in which issue `b` has many events, and `a` one. */
async function openStoreWithMany() {
  const kept = await openKeptStore()
  const events = Array.from({ length: many }, (_, index) => ({
    ...ofIssue('b'),
    occurredAt: testNow - index,
  }))
  await kept.receive(ofIssue('a'), ...events)
  const idOf = (name: string) => findIssueId(kept.store, name) ?? -1
  return { ...kept, a: idOf('a'), b: idOf('b') }
}

const select = (...issueIds: number[]) => ({ issueIds, projectIds: testProjectIds })

const countOf = ({ connection }: Store, issueId: number) =>
  Number(connection.prepare('SELECT count(*) AS n FROM events WHERE issue_id = ?').get(issueId)?.['n'])

/** Merges `from` into `into` like a process that ends before the events are moved. */
function mergeAndEnd(store: Store, from: number, into: number): Promise<void> {
  return store.writer.transaction().execute(() => {
    const statements = createPartStatements(store)
    const keys = [from, into].map((issueId) => ({ projectId: 1, issueId }))
    foldMergedDeltas(store, statements, keys)
    mergeInto(statements, { projectId: 1, issueId: into }, { issueIds: [from], at: testNow })
    return Promise.resolve()
  })
}

it('allows commits while the events of a merge move, and moves all of them in the end', async () => {
  const { store, receive, a, b } = await openStoreWithMany()
  const ended: string[] = []
  const merging = recordMerge(store, select(a, b), { ...ada, intoId: a }).then(() => ended.push('merge'))
  await receive(ofIssue('b')).then(() => ended.push('commit'))
  await merging
  expect(ended).toEqual(['commit', 'merge'])
  expect([countOf(store, a), countOf(store, b)]).toEqual([many + 2, 0])
  expect(findBrokenInvariants(store)).toEqual([])
})

it('shows every event under its issue during the move', async () => {
  const { store, a, b } = await openStoreWithMany()
  await mergeAndEnd(store, b, a)
  expect(countOf(store, b)).toBe(many - 1_000)
  const events = await store.db.selectFrom('events').select('event_id').orderBy('occurred_at').execute()
  for (const { event_id: id } of [...events.slice(0, 1), ...events.slice(-1)]) {
    const found = await findEvent(store.db, { id: fromIdBytes(id), projectIds: testProjectIds })
    expect(found?.issue.id).toBe(String(a))
  }
})

it.each<[string, (store: Store, ids: { a: number; b: number }) => Promise<unknown>]>([
  ['taking it apart', (store, { a, b }) => recordUnmerge(store, select(a), { ...ada, partIds: [b] })],
  ['deleting it', (store, { a }) => recordDeletion(store, select(a), { ...ada, discards: false })],
])('resumes after a process was interrupted, before %s', async (what, act) => {
  const { store, retain, a, b } = await openStoreWithMany()
  await mergeAndEnd(store, b, a)
  await act(store, { a, b })
  if (what === 'deleting it') await retain()
  expect([countOf(store, a), countOf(store, b)]).toEqual(what === 'deleting it' ? [0, 0] : [1, many])
  expect(findBrokenInvariants(store)).toEqual([])
})

it('resumes before retention counts', async () => {
  const { store, retain, a, b } = await openStoreWithMany()
  await mergeAndEnd(store, b, a)
  await retain()
  expect(countOf(store, a)).toBe(many + 1)
  expect(findBrokenInvariants(store)).toEqual([])
})

it('undoes the merge of a merge target and restores its own merged issues', async () => {
  const { store, receive, a, b } = await openStoreWithMany()
  await receive(...Array.from({ length: 1_100 }, () => ofIssue('c')))
  const c = findIssueId(store, 'c') ?? -1
  await recordMerge(store, select(b, c), { ...ada, intoId: b })
  const merged = await recordMerge(store, select(a, b), { ...ada, intoId: a })
  if ('rejected' in merged) throw new Error(merged.rejected)
  await recordUndo(store, select(a), { ...ada, actionId: merged.actionId })
  expect([countOf(store, a), countOf(store, b), countOf(store, c)]).toEqual([1, many + 1_100, 0])
  expect(findBrokenInvariants(store)).toEqual([])
})
