import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { openDecidingAlerts } from '#test/deciding-alerts.ts'
import { createErrorLog } from '#test/error-log.ts'
import { makeEventRecord, testId } from '#test/test-store.ts'
import { hourMs } from '#time/time-steps.ts'
import { createAlertDecider } from './decider.ts'

/** Events of the projects 1 and 2; writes of project 1 to a table fail after `breakTable`. */
async function openTwo(rules: Parameters<typeof openDecidingAlerts>[0] = { rules: [{}] }) {
  const { store } = await openDecidingAlerts(rules)
  const { log, errors } = createErrorLog()
  const projectsOf = (sql: string) =>
    store.connection
      .prepare(sql)
      .all()
      .map((row) => row['project_id'])
  return {
    store,
    errors,
    countWaiting: (projectId: number) =>
      Number(
        store.connection
          .prepare('SELECT count(*) AS n FROM alert_transitions WHERE project_id = ?')
          .get(projectId)?.['n'],
      ),
    decider: createAlertDecider({ store, log, hasMail: false, readSpace: () => undefined }),
    receive: async (name: string, count = 1) => {
      for (const projectId of [1, 2])
        for (let at = 0; at < count; at += 1)
          await store.commit(
            makeEventRecord({
              projectId,
              eventId: testId(`${name} ${at} ${projectId}`),
              groupHash: testId(name),
            }),
          )
    },
    breakTable: (table: string) =>
      store.connection.exec(`CREATE TRIGGER broken BEFORE INSERT ON ${table} WHEN NEW.project_id = 1
        BEGIN SELECT RAISE(ABORT, 'a bug of the statement'); END`),
    repair: () => store.connection.exec('DROP TRIGGER broken'),
    decided: (kind = 'new') =>
      projectsOf(`SELECT project_id FROM alert_decisions WHERE kind = '${kind}' ORDER BY project_id`),
    waiting: () => projectsOf('SELECT DISTINCT project_id FROM alert_transitions'),
  }
}

it('decisions of a project that cannot be written do not stop those of the others', async () => {
  const { decider, errors, receive, breakTable, repair, decided, waiting } = await openTwo()
  await receive('a')
  breakTable('alert_decisions')
  expect(await decider.check()).toBe('failed')
  expect([decided(), waiting()]).toEqual([[2], [1]])
  expect(errors).toMatchObject([{ project: 1, err: expect.any(Error) as Error }])
  repair()
  expect(await decider.check()).toBe('done')
  expect([decided(), waiting()]).toEqual([[1, 2], []])
})

it('a full queue of such a project does not hold up the others, and its oldest transitions are dropped', async () => {
  const { decider, store, errors, receive, breakTable, decided, countWaiting } = await openTwo()
  await receive('a')
  const oldCount = limits.alertTransitionsKept
  store.connection.exec(`INSERT INTO alert_transitions (project_id, id, issue_id, kind, at, detail)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${oldCount})
    SELECT 1, '0-' || i, t.issue_id, t.kind, t.at, t.detail FROM n, alert_transitions t WHERE t.project_id = 1 AND t.kind = 'new'`)
  const count = countWaiting(1) - oldCount
  breakTable('alert_decisions')
  expect(await decider.check()).toBe('failed')
  expect(decided()).toEqual([2])
  expect(countWaiting(1)).toBe(oldCount)
  expect(errors).toMatchObject([{ project: 1 }, { project: 1, count }])
  expect(decider.countDropped()).toBe(count)
})

it('thresholds of a project that cannot be compared do not stop those of the others', async () => {
  const threshold = { of: 'events', atLeast: 2, unit: 'count', windowMs: hourMs } as const
  const { decider, receive, breakTable, decided } = await openTwo({
    rules: [{ transitions: ['threshold'], threshold }],
  })
  await receive('a', 3)
  breakTable('alert_thresholds')
  expect(await decider.check()).toBe('failed')
  expect(decided('threshold')).toEqual([2])
})
