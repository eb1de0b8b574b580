import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'
import { copyIssue } from '#test/issue-copies.ts'
import { ofIssue, openKeptStore } from '#test/kept-store.ts'
import { testId, testNow } from '#test/test-store.ts'
import { addTestUser } from '#test/test-users.ts'
import { dayMs, dayOf, hourOf } from '#time/time-steps.ts'
import { createExpiryRun } from './expiry/run.ts'
import { deleteOldRows } from './old-rows.ts'
import { createPacer, type Pacer } from './pacer.ts'
import { createReport } from './run-report.ts'

/** A decision about an alert with its message, the attempt to send it, and the item of the inbox. */
function addAlert({ connection }: Store, id: string, at: number): void {
  connection
    .prepare(`INSERT INTO alert_decisions (project_id, issue_id, rule_id, transition_id, kind, at, decided_at, result, delivery_ids)
      VALUES (1, 0, 'rule', ?, 'new', ?, ?, 'sent', '[]')`)
    .run(id, at, at)
  connection.prepare("INSERT INTO alert_rule_sets VALUES (1, ?, '[]', ?)").run(id, dayOf(at))
  connection
    .prepare(`INSERT INTO alert_deliveries
      (id, organization_id, user_id, kind, first_project_id, transition_count, message, created_at, due_at, expires_at, status)
      VALUES (?, 1, 'ada', 'issues', 1, 0, '{"rules":[],"transitions":[]}', ?, ?, ?, 'sent')`)
    .run(id, at, at, at)
  connection
    .prepare("INSERT INTO alert_attempts (delivery_id, at, answer, duration_ms) VALUES (?, ?, 'ok', 1)")
    .run(id, at)
  connection
    .prepare(
      "INSERT INTO inbox_items (project_id, issue_id, user_id, id, kind, at, rule_ids) VALUES (1, 0, 'ada', ?, 'new', ?, '[]')",
    )
    .run(id, at)
}

/** Rows of every kind, 100 days old and one day old. */
async function openAgedStore() {
  const kept = await openKeptStore()
  addTestUser(kept.store, { userId: 'ada' })
  for (const days of [100, 1]) {
    kept.setDaysAgo(days)
    const at = kept.now()
    await kept.receive({ ...ofIssue('a'), environment: `env ${days}`, release: `web@${days}` })
    await kept.commit({
      events: [],
      outcomes: [{ projectId: 1, category: 'error', outcome: 'filtered', reason: 'x', quantity: 1, at }],
      deadLetters: [
        {
          projectId: 1,
          category: 'error',
          itemType: 'event',
          reason: 'broken',
          receivedAt: at,
          payload: Buffer.from('{}'),
        },
      ],
      samples: [
        {
          projectId: 1,
          reason: `reason ${days}`,
          category: 'error',
          receivedAt: at,
          title: 'dropped',
          environment: '',
          payload: Buffer.from('{}'),
        },
      ],
    })
    const eventId = Buffer.from(testId(`never came ${days}`), 'hex')
    kept.store.connection
      .prepare("INSERT INTO attachments VALUES (1, ?, 1, 'a', 'b', 'c', ?, 1, 1, x'00', x'00')")
      .run(eventId, at)
    kept.store.connection
      .prepare("INSERT INTO event_feedback VALUES (1, ?, ?, ?, '', '', '')")
      .run(eventId, eventId, at)
    addAlert(kept.store, `alert ${days}`, at)
  }
  kept.setDaysAgo(0)
  return kept
}

describe('rows that are not events', () => {
  it('are deleted when they are too old, and only then', async () => {
    const { retain, count } = await openAgedStore()
    const report = await retain()
    expect(Object.fromEntries(report.rowCounts)).toMatchObject({
      outcome_hours: 2,
      dead_letters: 1,
      filter_samples: 1,
      attachments: 1,
      event_feedback: 1,
      environments: 1,
      releases: 1,
      issue_hours: 1,
      alert_decisions: 1,
      alert_rule_sets: 1,
      alert_deliveries: 1,
      inbox_items: 1,
    })
    expect(count('alert_attempts')).toBe(1)
    for (const table of report.rowCounts.keys()) expect([table, count(table)]).not.toEqual([table, 0])
    expect((await retain()).rowCounts.size).toBe(0)
  })

  it('are kept while the clock is not trusted', async () => {
    const { retain } = await openAgedStore()
    expect((await retain({ isClockTrusted: false })).rowCounts.size).toBe(0)
  })

  it('are kept for the default period when they are counters, even with a shorter retention of events', async () => {
    const { receive, setDaysAgo, keep, retain, count } = await openKeptStore()
    setDaysAgo(50)
    await receive(ofIssue('a'))
    setDaysAgo(0)
    await receive(ofIssue('a'))
    await keep(1, { days: 7 })
    await retain()
    expect([count('outcome_hours'), count('issue_hours')]).toEqual([2, 2])
  })

  it('keep an outage that is not over, and one that ended later', async () => {
    const { retain, store } = await openKeptStore()
    const [long, longer, day] = [testNow - 119 * dayMs, testNow - 120 * dayMs, testNow - dayMs]
    const outages: [string, number, number | null][] = [
      ['over', longer, long],
      ['long', longer, day],
      ['lasting', longer, null],
    ]
    for (const [environment, beganAt, endedAt] of outages)
      store.connection
        .prepare("INSERT INTO monitor_incidents VALUES (1, 'monitor', ?, ?, ?)")
        .run(environment, beganAt, endedAt)
    await retain()
    expect(
      store.connection.prepare('SELECT environment FROM monitor_incidents ORDER BY environment').all(),
    ).toEqual([{ environment: 'lasting' }, { environment: 'long' }])
  })

  it('keep the last environment of a project', async () => {
    const { receive, setDaysAgo, retain, store } = await openKeptStore()
    setDaysAgo(120)
    await receive({ environment: 'first' })
    setDaysAgo(100)
    await receive({ environment: 'last' })
    setDaysAgo(0)
    await retain()
    expect(store.connection.prepare('SELECT name FROM environments').all()).toEqual([{ name: 'last' }])
  })

  it('are scanned to the end when no index has their age', async () => {
    const { store, retain, count } = await openKeptStore()
    const insert = store.connection.prepare(
      'INSERT INTO releases (project_id, version, first_seen_at, last_seen_at, event_count) VALUES (1, ?, 0, ?, 1)',
    )
    store.connection.exec('BEGIN')
    for (let index = 0; index < 2_500; index += 1) {
      insert.run(`web@${index}`, index % 10 === 0 ? testNow : testNow - 91 * dayMs)
    }
    store.connection.exec('COMMIT')
    await retain()
    expect(count('releases')).toBe(250)
  })
})

/** Deletes rows older than 90 days. Returns the number of reads, and of steps, each in its own slice. */
async function countWork(store: Store): Promise<{ readCount: number; stepCount: number }> {
  const pacer = createPacer({ store, signal: new AbortController().signal, isReadOnly: false })
  let [readCount, stepCount] = [0, 0]
  const read: Pacer['read'] = (work) => {
    readCount += 1
    return pacer.read(work)
  }
  const repeat = async (step: () => boolean) => {
    do stepCount += 1
    while (!(await pacer.slice(step)))
  }
  const report = createReport({ isDryRun: false, isClockTrusted: true, usedBytesBefore: 0 })
  const run = createExpiryRun({ store, pacer: { ...pacer, read, repeat }, isDryRun: false, report })
  await deleteOldRows(run, { projectId: 1, cutoffAt: testNow - 90 * dayMs })
  return { readCount, stepCount }
}

describe('hours of issues', () => {
  it('are deleted in steps of one issue, and reads of many, however young they are', async () => {
    const { store, receive, count } = await openKeptStore()
    await receive(ofIssue('a'))
    const { readCount } = await countWork(store)
    copyIssue(store.connection, 1, 1_199)
    const work = { readCount: readCount + 2, stepCount: 0 }
    expect(await countWork(store)).toEqual(work)

    const old = 'FROM issues WHERE number % 100 = 0'
    store.connection.exec(`UPDATE issues SET first_seen_at = 0 WHERE number % 100 = 0;
      INSERT INTO issue_hours SELECT project_id, id, ${hourOf(testNow - 91 * dayMs)}, '', 1 ${old};
      INSERT INTO issue_hours SELECT project_id, id, ${hourOf(testNow - 89 * dayMs)}, '', 1 ${old}`)
    expect(await countWork(store)).toEqual({ ...work, stepCount: 12 })
    expect(count('issue_hours')).toBe(1 + 12)
    // Old issues without a due hour need no statement.
    expect(await countWork(store)).toEqual(work)
  })
})

describe('dead letters', () => {
  it('are kept up to a number, the newest', async () => {
    const { store, retain } = await openKeptStore()
    const insert = store.connection.prepare(
      "INSERT INTO dead_letters (project_id, id, item_type, reason, received_at, payload) VALUES (1, ?, 'event', 'x', ?, x'00')",
    )
    store.connection.exec('BEGIN')
    for (let index = 0; index < limits.deadLettersPerProject + 30; index += 1) {
      insert.run(`${index}`, testNow - 5_000_000 + index)
    }
    store.connection.exec('COMMIT')
    await retain({ isClockTrusted: false })
    expect(
      store.connection.prepare('SELECT count(*) AS n, min(received_at) AS oldest FROM dead_letters').get(),
    ).toEqual({
      n: limits.deadLettersPerProject,
      oldest: testNow - 5_000_000 + 30,
    })
  })

  it('are kept up to a size', async () => {
    const { store, retain, count } = await openKeptStore()
    const insert = store.connection.prepare(
      "INSERT INTO dead_letters (project_id, id, item_type, reason, received_at, payload) VALUES (1, ?, 'event', 'x', ?, ?)",
    )
    const payload = Buffer.alloc(10_000_000)
    for (let index = 0; index < 15; index += 1) insert.run(`${index}`, testNow - index, payload)
    await retain()
    expect(count('dead_letters')).toBe(limits.deadLetterBytesPerProject / 10_000_000)
  })
})
