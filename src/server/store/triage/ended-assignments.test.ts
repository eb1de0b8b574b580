import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { findEndedAccess } from '#server/store/accounts/ended-access.ts'
import { deleteMembership, setRole } from '#server/store/accounts/members.ts'
import { deleteUser, putMembership } from '#server/store/accounts/users.ts'
import { deleteProjectMember, recordProjectMember } from '#server/store/projects/members.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { addTestUser } from '#test/test-users.ts'
import { recordAssignee } from './assignee.ts'
import type { IssueSelection } from './changed-issues.ts'
import { readIssueTriage } from './choices.ts'
import { unassignWithoutAccess } from './ended-assignments.ts'
import { recordMerge, recordUnmerge } from './merge.ts'
import { recordUndo } from './undo.ts'

const member = { organizationId: 1, userId: 'grace' }

/** Issues of projects 1 and 2, assigned to members with access to both. */
async function openAssigned(countPerProject = 1) {
  const store = await openTestStore()
  addTestUser(store, { userId: 'ada', role: 'owner' })
  addTestUser(store, { userId: 'grace', role: 'member' })
  const projectIds = [1, 2]
  for (const projectId of projectIds) {
    const names = Array.from({ length: countPerProject }, (_, index) => `${projectId} ${index}`)
    await store.commit(
      ...names.map((name) =>
        makeEventRecord({ projectId, eventId: testId(name), groupHash: testId(`group ${name}`) }),
      ),
    )
  }
  const issues = await store.db.selectFrom('issues').select(['id', 'project_id']).execute()
  await recordAssignee(
    store,
    { issueIds: issues.map(({ id }) => id), projectIds },
    { userId: 'ada', at: testNow, assigneeId: 'grace' },
  )
  return store
}

/** The projects of the issues that are still assigned. */
async function assignedIn(store: Store): Promise<number[]> {
  const rows = await store.db
    .selectFrom('issues')
    .select('project_id')
    .where('assignee_id', 'is not', null)
    .orderBy('project_id')
    .execute()
  return rows.map((row) => row.project_id)
}

const inTransaction = (store: Store, change: (tx: Tx) => Promise<void>) =>
  store.writer.transaction().execute(change)

const limited = (store: Store, projectIds: number[]) =>
  inTransaction(store, (tx) => putMembership(tx, { ...member, role: 'member', projectIds, at: testNow }))

it.each<[string, (store: Store) => Promise<void>, number[]]>([
  ['whose account is deleted', (store) => inTransaction(store, (tx) => deleteUser(tx, 'grace')), []],
  ['who is removed', (store) => inTransaction(store, (tx) => deleteMembership(tx, member)), []],
  ['who keeps one project', (store) => limited(store, [2]), [2]],
  [
    'who loses one project',
    async (store) => {
      await limited(store, [2])
      await recordProjectMember(store, { ...member, projectId: 1 })
      await deleteProjectMember(store, { ...member, projectId: 2 })
    },
    [1],
  ],
  [
    'whose role gave access',
    async (store) => {
      await inTransaction(store, (tx) => setRole(tx, { ...member, role: 'admin' }))
      await limited(store, [1])
      await inTransaction(store, (tx) => setRole(tx, { ...member, role: 'member' }))
    },
    [1],
  ],
  ['who keeps all projects', (store) => limited(store, testProjectIds), [1, 2]],
])('the issues of an assignee %s become unassigned', async (_, change, left) => {
  const store = await openAssigned()
  const before = await findEndedAccess(store.db)
  await change(store)
  expect(await findEndedAccess(store.db)).not.toBe(before)
  expect(await assignedIn(store)).toEqual([1, 2])
  expect(await unassignWithoutAccess(store, { now: testNow + 5 })).toBe(true)
  expect(await assignedIn(store)).toEqual(left)
})

/** Merges two issues, or unassigns them. */
type Change = (
  store: Store,
  selection: IssueSelection,
) => Promise<{ actionId: string } | { rejected: string }>

const ada = { userId: 'ada', at: testNow + 1 }
const merge: Change = (store, selection) =>
  recordMerge(store, selection, { ...ada, intoId: selection.issueIds[0] ?? 0 })
const unassign: Change = (store, selection) => recordAssignee(store, selection, { ...ada, assigneeId: null })

it.each<[string, Change, 'unmerge' | 'undo', number]>([
  ['unmerges an issue', merge, 'unmerge', 1],
  ['undoes a merge', merge, 'undo', 1],
  ['undoes an assignment', unassign, 'undo', 2],
])('a former assignee without access does not stay when a user %s', async (...[, change, back, count]) => {
  const store = await openAssigned(2)
  const rows = await store.db.selectFrom('issues').select('id').where('project_id', '=', 1).execute()
  const issueIds = rows.map(({ id }) => id)
  const selection = { issueIds, projectIds: [1] }
  const changed = await change(store, selection)
  await inTransaction(store, (tx) => deleteUser(tx, 'grace'))
  await unassignWithoutAccess(store, { now: testNow + 5 })
  expect(await assignedIn(store)).toEqual([])
  const before = await findEndedAccess(store.db)
  const actionId = 'actionId' in changed ? changed.actionId : ''
  await (back === 'undo'
    ? recordUndo(store, selection, { ...ada, actionId })
    : recordUnmerge(store, selection, { ...ada, partIds: issueIds.slice(1) }))
  expect(await assignedIn(store)).toHaveLength(count)
  expect(await findEndedAccess(store.db)).not.toBe(before)
  await unassignWithoutAccess(store, { now: testNow + 9 })
  expect(await assignedIn(store)).toEqual([])
})

it('the activity says why an issue became unassigned', async () => {
  const store = await openAssigned()
  await inTransaction(store, (tx) => deleteUser(tx, 'grace'))
  await unassignWithoutAccess(store, { now: testNow + 5 })
  await unassignWithoutAccess(store, { now: testNow + 9 })
  const issue = await store.db
    .selectFrom('issues')
    .select('id')
    .where('project_id', '=', 1)
    .executeTakeFirst()
  const { activity } = await readIssueTriage(store.db, { projectId: 1, issueId: issue?.id ?? 0 }, 'shop')
  expect(activity).toMatchObject([
    { kind: 'assigned', at: testNow, assignee: { userId: 'grace' } },
    { kind: 'assigned', at: testNow + 5, isAccessEnded: true },
  ])
  expect(activity[1]).not.toHaveProperty('by')
})

it('many issues become unassigned in several transactions and calls', async () => {
  const store = await openAssigned(limits.unassignedAtOnce + 1)
  await inTransaction(store, (tx) => deleteUser(tx, 'grace'))
  const count = (await assignedIn(store)).length
  expect(await unassignWithoutAccess(store, { now: testNow, atMost: count - 1 })).toBe(false)
  expect(await assignedIn(store)).toHaveLength(1)
  expect(await unassignWithoutAccess(store, { now: testNow })).toBe(true)
  expect(await assignedIn(store)).toEqual([])
})
