import { describe, expect, it } from 'vitest'
import type { AlertRule } from '#alerts/rule.ts'
import { updateProjectSettings, type OwnershipSettings } from '#server/store/projects/settings.ts'
import { openAlertStore } from '#test/alert-store.ts'
import { makeEventRecord, testId, testNow } from '#test/test-store.ts'
import { decideWaitingAlerts } from './decisions.ts'

/** A store whose project 1 has this ownership, and a rule that notifies the owners of new issues. */
async function openOwned(ownership: Partial<OwnershipSettings>) {
  const rules: Partial<AlertRule>[] = [{ transitions: ['new'], actions: [{ kind: 'owners' }] }]
  const { store } = await openAlertStore({ users: ['ada', 'bo'], rules })
  await updateProjectSettings(store, 1, (settings) => ({
    ownership: { ...settings.ownership, ...ownership },
    sourceLinks: { ...settings.sourceLinks, roots: [{ from: '/app/', to: '' }] },
  }))
  const receive = async (...paths: string[]) => {
    const eventId = testId(paths.join(' '))
    const traits = paths.map((path) => `stack.filename\t${path}`).join('\n')
    await store.commit(makeEventRecord({ eventId, groupHash: eventId, traits, tags: [['sku', '7']] }))
    await decideWaitingAlerts(store, { now: testNow, hasMail: false })
    const issue = await store.db
      .selectFrom('issues')
      .select(['id', 'assignee_id'])
      .orderBy('number', 'desc')
      .executeTakeFirstOrThrow()
    const notified = await store.db
      .selectFrom('inbox_items')
      .select('user_id')
      .where('issue_id', '=', issue.id)
      .execute()
    return { assignee: issue.assignee_id, notified: notified.map((row) => row.user_id) }
  }
  return { store, receive }
}

describe('the owners of the code of a new issue', () => {
  it('are notified, and assigned only if the project enables that', async () => {
    const { receive } = await openOwned({ codeOwners: '/src/ ada@example.com bo@example.com' })
    expect(await receive('/app/src/cart.ts')).toEqual({ assignee: null, notified: ['ada', 'bo'] })
    expect(await receive('/app/lib/cart.ts')).toEqual({ assignee: null, notified: [] })
  })

  it('are assigned, the first one that is a user', async () => {
    const { store, receive } = await openOwned({
      rules: 'path:src/* #shop bo@example.com ada@example.com\ntags.sku:8 ada@example.com',
      isAutoAssigned: true,
    })
    expect((await receive('src/cart.ts')).assignee).toBe('bo')
    expect((await receive('lib/cart.ts')).assignee).toBeNull()
    const entries = await store.db.selectFrom('issue_activity').select(['kind', 'user_id']).execute()
    expect(entries).toEqual([{ kind: 'assigned', user_id: null }])
  })
})
