import * as v from 'valibot'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { answerCron } from '#server/http/answer/cron-answer.ts'
import { limits } from '#server/limits.ts'
import { noteEndedAccess } from '#server/store/accounts/ended-access.ts'
import { takeLease } from '#server/store/installation/lease.ts'
import { createUpstream } from '#server/store/upstreams/upstreams.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'
import { hourMs } from '#time/time-steps.ts'

const { id: projectId } = fixtureProject
const cronSecret = 'c'.repeat(32)
const Report = v.object({ retention: v.string(), failed: v.array(v.string()) })

const server = await startServer({
  variables: { CRON_SECRET: cronSecret, CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' },
})
const dsn = parseDsn('http://0123456789abcdef0123456789abcdef@o4507.ingest.us.sentry.io/77')
if (dsn === undefined) throw new Error('no DSN')
await createUpstream(server.services.store, { projectId, dsn, connect: '127.0.0.1:1', kinds: 'all' })
await postEnvelope(server.origin, errorEnvelope())
// An event that an ended instance has not counted.
server.services.store.connection.exec(
  `INSERT INTO counter_deltas (project_id, id, event_count, data)
   SELECT project_id, 1, 1, '[' || id || ',[${Date.now()},"production",null,["color","red"]]]' FROM issues`,
)
afterAll(() => server.stop())

/** As if the last run was hours ago. */
async function makeRetentionDue(): Promise<void> {
  const { writer, clock } = server.services.store
  const value = JSON.stringify({ trustedAt: clock() - 2 * hourMs, doubtedMs: 0 })
  await writer
    .insertInto('settings')
    .values({ key: 'retention_clock', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

async function callCron(): Promise<{ status: number; retention: string; failed: string[] }> {
  const headers = { authorization: `Bearer ${cronSecret}` }
  const request = new Request(`${server.origin}/api/cron`, { headers })
  const answer = await answerCron(server.services, request)
  return { status: answer.status, ...v.parse(Report, await answer.json()) }
}

describe('the cron route', () => {
  it.each([
    ['counts', 'issue_tags'],
    ['archives', 'issues'],
    ['monitors', 'monitor_queue'],
    ['alerts', 'alert_transitions'],
    ['messages', 'alert_deliveries'],
    ['retention', 'trace_totals'],
    ['deliveries', 'outbox'],
    ['assignees', 'settings'],
  ])('answers 500 and names %s if it fails', async (part, table) => {
    const { connection } = server.services.store
    connection.exec(`ALTER TABLE ${table} RENAME TO lost_table`)
    onTestFinished(() => connection.exec(`ALTER TABLE lost_table RENAME TO ${table}`))
    const { status, failed } = await callCron()
    expect(status).toBe(500)
    expect(failed).toContain(part)
  })

  it('reports that retention failed', async () => {
    const { connection } = server.services.store
    connection.exec('ALTER TABLE trace_totals RENAME TO lost_table')
    onTestFinished(() => connection.exec('ALTER TABLE lost_table RENAME TO trace_totals'))
    expect(await callCron()).toMatchObject({ status: 500, retention: 'failed' })
  })

  it('reports that another process runs retention, which is not a failure', async () => {
    const { store } = server.services
    await makeRetentionDue()
    await takeLease(store, 'retention', 'somebody else')
    expect(await callCron()).toEqual({ status: 200, retention: 'elsewhere', failed: [] })
    store.connection.exec('DELETE FROM leases')
    expect(await callCron()).toEqual({ status: 200, retention: 'done', failed: [] })
  })

  it('unassigns issues whose assignee has no access, a limited number in each call', async () => {
    const { store } = server.services
    const issue = await store.db.selectFrom('issues').selectAll().executeTakeFirstOrThrow()
    const copies = Array.from({ length: limits.unassignedAtOnce + 1 }, (_, index) => ({
      ...issue,
      id: issue.id + index + 1,
      number: issue.number + index + 1,
      assignee_id: 'gone',
    }))
    await store.writer.transaction().execute(async (tx) => {
      await tx.insertInto('issues').values(copies).execute()
      await noteEndedAccess(tx)
    })
    const assigned = store.db.selectFrom('issues').select('id').where('assignee_id', 'is not', null)
    expect(await callCron()).toMatchObject({ failed: [] })
    expect(await assigned.execute()).toHaveLength(1)
    expect(await callCron()).toMatchObject({ failed: [] })
    expect(await assigned.execute()).toEqual([])
  })
})
