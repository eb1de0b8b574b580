import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds, entryOf } from '#test/test-store.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { recordDeletion } from './deletion.ts'
import { recordMerge } from './merge.ts'
import { reopenByTime } from './reopening.ts'
import { recordIssueStatus, type ArchiveUntil, type StatusChange } from './status.ts'
import { recordUndo } from './undo.ts'

const issueId = issueIdCandidate(1, testId('group'), 0)

/** An issue with events of the given releases, one a minute. */
async function openIssue(...releases: string[]) {
  const store = await openTestStore()
  const committer = createCommitter(store)
  let now = testNow
  let made = 0
  const happen = async (...events: Partial<EventRecord>[]) => {
    now += minuteMs
    const records = events.map((fields) => {
      made += 1
      const at = { occurredAt: now, receivedAt: now }
      return makeEventRecord({ eventId: testId(`event ${made}`), ...at, ...fields })
    })
    await committer.commit(entryOf(...records))
  }
  for (const release of releases) await happen({ release })
  if (releases.length === 0) await happen({})
  return {
    store,
    happen,
    /** Counts the events that wait in deltas. */
    drain: () => committer.drain(),
    wait: (ms: number) => {
      now += ms
    },
    now: () => now,
    set: (change: StatusChange) =>
      recordIssueStatus(
        store,
        { issueIds: [issueId], projectIds: testProjectIds },
        { userId: 'ada', at: now, change },
      ),
    read: () => {
      const row = store.connection
        .prepare('SELECT status, is_regressed FROM issues WHERE id = ?')
        .get(issueId)
      const activity = store.connection
        .prepare('SELECT kind, detail, user_id FROM issue_activity WHERE user_id IS NULL')
        .all()
        .map(({ kind, detail }) => `${String(kind)} ${String(detail)}`)
      return { status: row?.['status'], isRegressed: row?.['is_regressed'] === 1, activity }
    },
  }
}

/** An issue with events and users that wait in deltas; timers are frozen, so that no fold runs. */
async function openFloodedIssue() {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const issue = await openIssue()
  await issue.happen(...many(limits.countersAtOncePerSecond + 50))
  expect(issue.store.connection.prepare('SELECT event_count, user_count FROM issues').get()).toEqual({
    event_count: 1,
    user_count: 0,
  })
  return issue
}

describe('an issue resolved in a release', () => {
  it.each<[string, boolean]>([
    ['web@1.2.9', false],
    ['web@1.3.0-rc.1', false],
    ['web@1.3.0', true],
    ['web@1.10.0', true],
  ])('of 1.3.0, on an event of %s: is reopened %s', async (release, isBack) => {
    const { set, happen, read } = await openIssue('web@1.2.0')
    await set({ status: 'resolved', fixedIn: { release: 'web@1.3.0' } })
    await happen({ release })
    expect(read()).toEqual({
      status: isBack ? 'unresolved' : 'resolved',
      isRegressed: isBack,
      activity: isBack ? [`regressed {"release":"${release}"}`] : [],
    })
  })

  it.each<[string, boolean]>([
    ['web@1.2.0', false],
    ['web@1.3.0', false],
    ['web@1.3.1', true],
  ])('after the newest one, 1.3.0, on an event of %s: is reopened %s', async (release, isBack) => {
    const { set, happen, read } = await openIssue('web@1.2.0', 'web@1.3.0')
    await set({ status: 'resolved', fixedIn: 'next_release' })
    await happen({ release })
    expect(read().status).toBe(isBack ? 'unresolved' : 'resolved')
  })

  it('compares dates when releases are not versions', async () => {
    const { set, happen, read } = await openIssue('3e1c8b7aa', '9f00c1dd2')
    await set({ status: 'resolved', fixedIn: 'next_release' })
    await happen({ release: '3e1c8b7aa' })
    await happen({ release: '9f00c1dd2' })
    expect(read().status).toBe('resolved')
    await happen({ release: '0000aaaa1' })
    expect(read().status).toBe('unresolved')
  })

  it('compares dates of builds that are commits', async () => {
    const { set, happen, read } = await openIssue('web@1.0.0+3e1c8b7', 'web@1.0.0+f00c1dd')
    await set({ status: 'resolved', fixedIn: 'next_release' })
    await happen({ release: 'web@1.0.0+3e1c8b7' })
    await happen({ release: 'web@1.0.0+f00c1dd' })
    expect(read().status).toBe('resolved')
    await happen({ release: 'web@1.0.0+0000aaa' })
    expect(read().activity).toEqual(['regressed {"release":"web@1.0.0+0000aaa"}'])
  })

  it('that does not exist yet is not reopened by the first event of another release', async () => {
    const { set, happen, read } = await openIssue('3e1c8b7aa')
    await set({ status: 'resolved', fixedIn: { release: '9f00c1dd2' } })
    await happen({ release: '0000aaaa1' })
    expect(read().status).toBe('resolved')
    await happen({ release: '9f00c1dd2' })
    expect(read().activity).toEqual(['regressed {"release":"9f00c1dd2"}'])
  })

  it('after one that retention has deleted is reopened by a release since, and by no former one', async () => {
    const { store, set, happen, read } = await openIssue('3e1c8b7aa', '9f00c1dd2')
    await set({ status: 'resolved', fixedIn: 'next_release' })
    store.connection.exec("DELETE FROM releases WHERE version = '9f00c1dd2'")
    await happen({ release: '3e1c8b7aa' })
    expect(read().status).toBe('resolved')
    await happen({ release: '0000aaaa1' })
    expect(read().activity).toEqual(['regressed {"release":"0000aaaa1"}'])
  })

  it('finds the newer release in a batch that contains older ones too', async () => {
    const { set, happen, read } = await openIssue('web@1.2.0')
    await set({ status: 'resolved', fixedIn: 'next_release' })
    await happen({ release: 'web@1.2.0' }, { release: 'web@1.4.0' }, { release: 'web@1.1.0' })
    expect(read().activity).toEqual(['regressed {"release":"web@1.4.0"}'])
  })

  it('is reopened by an event without a release, and without a condition by the next event of any release', async () => {
    const one = await openIssue('web@1.2.0')
    await one.set({ status: 'resolved', fixedIn: 'next_release' })
    await one.happen({})
    expect(one.read().activity).toEqual(['regressed {}'])
    const other = await openIssue('web@1.2.0')
    await other.set({ status: 'resolved' })
    await other.happen({ release: 'web@1.1.0' })
    expect(other.read().status).toBe('unresolved')
  })
})

describe('an archived issue', () => {
  it('is reopened after the given number of further events', async () => {
    const { set, happen, read } = await openIssue()
    await set({ status: 'archived', until: { moreEvents: 3 } })
    await happen({}, {})
    expect(read().status).toBe('archived')
    await happen({})
    expect(read()).toEqual({
      status: 'unresolved',
      isRegressed: false,
      activity: ['reopened {"reason":"events"}'],
    })
  })

  it('is reopened after the given number of further users', async () => {
    const { set, happen, read } = await openIssue()
    await happen({ userKey: 'id:1' })
    await set({ status: 'archived', until: { moreUsers: 2 } })
    await happen({ userKey: 'id:1' }, { userKey: 'id:2' })
    expect(read().status).toBe('archived')
    await happen({ userKey: 'id:3' })
    expect(read().activity).toEqual(['reopened {"reason":"users"}'])
  })

  it.each<[string, ArchiveUntil]>([
    ['events', { moreEvents: 2 }],
    ['users', { moreUsers: 2 }],
  ])('does not count %s that arrived before and were counted later as further', async (reason, until) => {
    const { set, happen, read, drain } = await openFloodedIssue()
    await set({ status: 'archived', until })
    await drain()
    await happen({ userKey: 'id:further' })
    await drain()
    expect(read().status).toBe('archived')
    await happen({ userKey: 'id:one more' })
    await drain()
    expect(read().activity).toEqual([`reopened {"reason":"${reason}"}`])
  })

  it('does not escalate by events that had arrived before and were counted later', async () => {
    const { set, happen, read, drain } = await openFloodedIssue()
    await set({ status: 'archived', until: { escalates: true } })
    await drain()
    await happen({})
    expect(read().status).toBe('archived')
  })

  it('is reopened at the given time, with or without an event', async () => {
    const { store, set, happen, read, wait, now } = await openIssue()
    await set({ status: 'archived', until: { at: now() + 10 * minuteMs } })
    await happen({})
    expect(await reopenByTime(store, now())).toBe(0)
    expect(read().status).toBe('archived')
    wait(9 * minuteMs)
    expect(await reopenByTime(store, now())).toBe(1)
    expect(read()).toMatchObject({ status: 'unresolved', activity: ['reopened {"reason":"time"}'] })
    await set({ status: 'archived', until: { at: now() + minuteMs } })
    await happen({})
    expect(read().status).toBe('unresolved')
  })

  it('is reopened when an hour has several times the events of its busiest hour', async () => {
    const { set, happen, read, wait } = await openIssue()
    await happen(...Array.from({ length: 9 }, () => ({})))
    await set({ status: 'archived', until: { escalates: true } })
    wait(hourMs)
    await happen(...Array.from({ length: 20 }, () => ({})))
    wait(hourMs)
    await happen(...Array.from({ length: 30 }, () => ({})))
    expect(read().status).toBe('archived')
    await happen({})
    expect(read().activity).toEqual(['reopened {"reason":"escalation"}'])
  })

  it('with few events is not reopened by three times a very low rate', async () => {
    const { set, happen, read } = await openIssue()
    await set({ status: 'archived', until: { escalates: true } })
    await happen(...Array.from({ length: 10 }, () => ({})))
    expect(read().status).toBe('archived')
    await happen({})
    expect(read().status).toBe('unresolved')
  })
})

/** This many events, of as many users. */
function many(count: number, fields: Partial<EventRecord> = {}): Partial<EventRecord>[] {
  return Array.from({ length: count }, (_, index) => ({ ...fields, userKey: `id:${index}` }))
}

describe('an archived issue that others are merged into', () => {
  const otherId = issueIdCandidate(1, testId('other'), 0)
  const ofOther = { groupHash: testId('other') }
  const selection = { issueIds: [issueId, otherId], projectIds: testProjectIds }

  /** The issue, and another one with forty events of forty users. */
  async function openBoth(until: ArchiveUntil) {
    const issue = await openIssue()
    await issue.happen(...many(40, ofOther))
    await issue.set({ status: 'archived', until })
    await issue.happen({})
    const merge = () =>
      recordMerge(issue.store, selection, { userId: 'ada', at: issue.now(), intoId: issueId })
    return { ...issue, merge }
  }

  it.each<[string, ArchiveUntil]>([
    ['events', { moreEvents: 3 }],
    ['users', { moreUsers: 2 }],
  ])('is reopened after as many further %s as without the merge', async (reason, until) => {
    const { merge, happen, read } = await openBoth(until)
    await merge()
    await happen({ ...ofOther, userKey: 'id:further' })
    expect(read().status).toBe('archived')
    await happen({ userKey: 'id:one more' })
    expect(read().activity).toEqual([`reopened {"reason":"${reason}"}`])
  })

  it('does not escalate by the events of the merged issues', async () => {
    const { merge, happen, read } = await openBoth({ escalates: true })
    await merge()
    await happen({})
    expect(read().status).toBe('archived')
    await happen(...many(10))
    expect(read().activity).toEqual(['reopened {"reason":"escalation"}'])
  })

  it('counts further events as before after the merge is undone, also one of merged issues', async () => {
    const { merge, store, set, happen, read, now } = await openBoth({ moreEvents: 3 })
    const done = await merge()
    const third = issueIdCandidate(1, testId('third'), 0)
    await set({ status: 'archived', until: { moreEvents: 3 } })
    await happen({ groupHash: testId('third') })
    const later = { issueIds: [issueId, third], projectIds: testProjectIds }
    const again = await recordMerge(store, later, { userId: 'ada', at: now(), intoId: third })
    for (const result of [again, done]) {
      const actionId = 'actionId' in result ? result.actionId : ''
      const undone = result === again ? later : selection
      await recordUndo(store, undone, { userId: 'ada', at: now(), actionId })
    }
    await happen({}, {})
    expect(read().status).toBe('archived')
    await happen({})
    expect(read().activity).toEqual(['reopened {"reason":"events"}'])
  })
})

describe('an issue that no longer exists', () => {
  const other = issueIdCandidate(1, testId('other'), 0)
  const selection = { issueIds: [issueId, other], projectIds: testProjectIds }
  const resolved = { status: 'resolved' } as const

  it('by a merge is not reopened: the target of the merge is, once', async () => {
    const { store, happen, now } = await openIssue()
    await happen({ groupHash: testId('other') })
    await recordMerge(store, selection, { userId: 'ada', at: now(), intoId: issueId })
    await recordIssueStatus(store, selection, { userId: 'ada', at: now(), change: resolved })
    await happen({ groupHash: testId('other') }, {})
    await happen({ groupHash: testId('other') }, {})
    const reopenings = store.connection
      .prepare("SELECT issue_id FROM issue_activity WHERE kind = 'regressed'")
      .all()
    expect(reopenings).toEqual([{ issue_id: issueId }])
    expect(store.connection.prepare('SELECT id, status FROM issues').all()).toEqual([
      { id: issueId, status: 'unresolved' },
    ])
  })

  it('by deletion is not reopened: the next event creates another one', async () => {
    const { store, happen, now, set } = await openIssue()
    await set(resolved)
    await recordDeletion(store, selection, { userId: 'ada', at: now(), discards: false })
    await happen({})
    const issues = store.connection
      .prepare('SELECT id = ? AS is_deleted, status, is_regressed FROM issues')
      .all(issueId)
    expect(issues).toEqual([{ is_deleted: 0, status: 'unresolved', is_regressed: 0 }])
    expect(store.connection.prepare("SELECT 1 FROM issue_activity WHERE kind = 'regressed'").all()).toEqual(
      [],
    )
  })
})
