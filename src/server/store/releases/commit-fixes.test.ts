import { describe, expect, it } from 'vitest'
import { readIssueTriage } from '#server/store/triage/choices.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import { makeEventRecord, openTestStore, testId, testNow } from '#test/test-store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { recordRelease } from './changes.ts'
import type { ReleaseCommit } from './records.ts'

const origin = 'https://culvert.example'

async function open() {
  let now = testNow + minuteMs
  const store = await openTestStore({ clock: () => now })
  const send = async (release: string, projectId = 1, hash = 'cart') => {
    now += minuteMs
    const groupHash = testId(`${hash}-${projectId}`)
    const record = { eventId: testId(String(now)), groupHash, occurredAt: now, release, projectId }
    await store.commit(makeEventRecord(record))
    const issue = await store.db
      .selectFrom('issues as i')
      .innerJoin('projects as p', 'p.id', 'i.project_id')
      .select(['i.id', 'i.number', 'p.slug'])
      .where('i.project_id', '=', projectId)
      .orderBy('i.last_seen_at', 'desc')
      .executeTakeFirstOrThrow()
    return { ...issue, name: `${issue.slug}-${issue.number.toString(36)}`.toUpperCase() }
  }
  const release = (version: string, messages: (string | ReleaseCommit)[], projectIds = [1, 2]) => {
    now += minuteMs
    const commits = messages.map((message, index) =>
      typeof message === 'string' ? { id: `${version}-${index}`, message, authorName: 'Ada' } : message,
    )
    const fixes = { projectIds, origin }
    return recordRelease(store, { version, projectIds: [1] }, { commits, fixes })
  }
  const issueOf = (id: number) =>
    store.db
      .selectFrom('issues')
      .select(['status', 'reopen_condition'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const activity = async (id: number, projectId = 1) =>
    (await readIssueTriage(store.db, { projectId, issueId: id }, 'web')).activity
  return { store, send, release, issueOf, activity, clock: () => now }
}

describe('a commit that fixes an issue', () => {
  it('resolves it in the release, with the commit in its activity; an event of it regresses', async () => {
    const { send, release, issueOf, activity } = await open()
    const { id, name } = await send('web@1.0.0')
    await release('web@1.1.0', [`Empty the cart\n\nFixes ${name}`])
    expect(await issueOf(id)).toMatchObject({ status: 'resolved' })
    expect(await activity(id)).toMatchObject([
      {
        kind: 'status',
        status: 'resolved',
        reopenCondition: { kind: 'release', release: 'web@1.1.0' },
        commit: { id: 'web@1.1.0-0', subject: 'Empty the cart', authorName: 'Ada' },
      },
    ])
    await send('web@1.0.0')
    expect(await issueOf(id)).toMatchObject({ status: 'resolved' })
    await send('web@1.1.0')
    expect(await issueOf(id)).toMatchObject({ status: 'unresolved' })
  })

  it('resolves it once, however often and wherever tools report it', async () => {
    const { send, release, issueOf, activity } = await open()
    const { id, name } = await send('web@1.0.0')
    const commit = { id: 'c0ffee1', message: `Fixes ${name}` }
    await release('web@1.1.0', [commit])
    await release('web@1.1.0', [commit])
    await send('web@1.1.0')
    await release('web@1.1.0', ['Docs', commit])
    await release('web@1.2.0', [commit])
    expect(await issueOf(id)).toMatchObject({ status: 'unresolved' })
    expect((await activity(id)).map(({ kind }) => kind).toSorted()).toEqual(['regressed', 'status'])
    await release('web@1.3.0', [`fixes ${name.toLowerCase()} again`])
    expect(await issueOf(id)).toMatchObject({ status: 'resolved' })
  })

  it('does not resolve again the issue that it was merged into', async () => {
    const { store, send, release, issueOf, clock } = await open()
    const { id, name } = await send('web@1.0.0')
    const commit = { id: 'c0ffee1', message: `Fixes ${name}` }
    await release('web@1.1.0', [commit])
    const into = await send('web@1.1.0', 1, 'basket')
    const selection = { issueIds: [id, into.id], projectIds: [1] }
    await recordMerge(store, selection, { userId: 'ada', at: clock(), intoId: into.id })
    await release('web@1.2.0', [commit])
    expect(await issueOf(into.id)).toMatchObject({ status: 'unresolved' })
  })

  it('does not resolve again an issue that a user has resolved in the same release', async () => {
    const { store, send, release, issueOf, clock } = await open()
    const { id, name } = await send('web@1.0.0')
    const change = { status: 'resolved', fixedIn: { release: 'web@1.1.0' } } as const
    const selection = { issueIds: [id], projectIds: [1] }
    await recordIssueStatus(store, selection, { userId: 'ada', at: clock(), change })
    await release('web@1.1.0', [`Fixes ${name}`])
    await send('web@1.1.0')
    await release('web@1.1.0', [`Fixes ${name}`])
    expect(await issueOf(id)).toMatchObject({ status: 'unresolved' })
  })

  it('resolves issues of other projects in their next release', async () => {
    const { send, release, issueOf } = await open()
    const { id, name } = await send('api@7', 2)
    await release('web@1.1.0', [`Closes ${name}`])
    expect(await issueOf(id)).toMatchObject({
      status: 'resolved',
      reopen_condition: JSON.stringify({ kind: 'next_release', after: 'api@7' }),
    })
    await send('api@7', 2)
    expect(await issueOf(id)).toMatchObject({ status: 'resolved' })
    await send('api@8', 2)
    expect(await issueOf(id)).toMatchObject({ status: 'unresolved' })
  })

  it('changes nothing outside of its projects, and ignores unknown issues', async () => {
    const { send, release, issueOf } = await open()
    const { id, name } = await send('api@7', 2)
    await release('web@1.1.0', [`Closes ${name}, WEB-ZZZ, ${origin}/issues/${id}, NONE-1`], [1])
    await release('web@1.2.0', [`Fixes ${origin}/issues/9007199254740993`, 'Fixes \0 \uD800'])
    expect(await issueOf(id)).toMatchObject({ status: 'unresolved' })
    await release('web@1.3.0', [`Closes ${origin}/issues/${id}`])
    expect(await issueOf(id)).toMatchObject({ status: 'resolved' })
  })
})
