import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId, entryOf } from '#test/test-store.ts'
import { makeSegment, makeTraceRecord } from '#test/trace-store.ts'

type TestStore = Awaited<ReturnType<typeof openTestStore>>

const projectId = 1

/** Begins a transaction of ingest; it waits until it has the lock of the project. */
async function begin(
  { writeGate }: Store,
  { id = projectId, withDeltas = false }: { id?: number; withDeltas?: boolean } = {},
): Promise<void> {
  const wanted = { first: [id], others: [], isFirstOverdue: false, withDeltas, suffices: () => true }
  await writeGate.begin(
    () => true,
    () => wanted,
  )
}

/** The begin of a transaction of one store while another one has the project, which then ends. */
async function beginAfter(store: Store, holder: Store): Promise<void> {
  const begun = begin(store)
  for (let turn = 0; turn < 20; turn += 1) await nextTick()
  holder.connection.exec('COMMIT')
  await begun
}

/** Two stores of one database, each of which has found the project locked by the other one. */
async function openRivals(): Promise<[one: TestStore, other: Store]> {
  const one = await openTestStore()
  const other = await one.openAgain()
  onTestFinished(() => {
    for (const { connection } of [one, other]) if (connection.isTransaction) connection.exec('ROLLBACK')
  })
  await begin(one)
  await beginAfter(other, one)
  await beginAfter(one, other)
  one.connection.exec('COMMIT')
  return [one, other]
}

const eventOf = (name: string, groupHash = testId('known')) =>
  entryOf(makeEventRecord({ projectId, eventId: testId(name), groupHash }))

const countOf = ({ connection }: Store, sql: string) => connection.prepare(sql).get()?.['n']

describe.skipIf(!onPostgres)('transactions of processes that write the same project', () => {
  it('run at the same time, and one of them folds counters', async () => {
    const [one, other] = await openRivals()
    await begin(one, { withDeltas: true })
    await begin(other, { withDeltas: true })
    const locks = [one, other].map(({ writeGate }) => writeGate.locked)
    expect(locks.map((locked) => locked?.isShared)).toEqual([true, true])
    expect(locks.map((locked) => [...(locked?.foldableIds ?? [])])).toEqual([[projectId], []])
    expect(locks.map((locked) => locked?.areAll)).toEqual([true, false])
  })

  it('know that they cannot fold all counters while a process writes another project alone', async () => {
    const [one, other] = await openRivals()
    const third = await one.openAgain()
    onTestFinished(() => (third.connection.isTransaction ? third.connection.exec('ROLLBACK') : undefined))
    const delta = "INSERT INTO counter_deltas (project_id, id, event_count, data) VALUES (2, 1, 1, '')"
    other.connection.exec(delta)
    await begin(third, { id: 2 })
    await begin(one, { withDeltas: true })
    expect(one.writeGate.locked).toMatchObject({ isShared: true, areAll: false })
    expect([...(one.writeGate.locked?.foldableIds ?? [])]).toEqual([projectId])
  })

  it('store traces at the same time', async () => {
    const [one, other] = await openRivals()
    await begin(one)
    const committer = createCommitter(other)
    const trace = makeTraceRecord(makeSegment('one'), { projectId })
    await committer.commit({ events: [], outcomes: [], deadLetters: [], traces: [trace] })
    expect(one.connection.isTransaction).toBe(true)
    expect(countOf(one, 'SELECT segment_count AS n FROM trace_totals')).toBe(1)
    await committer.close()
  })

  it('wait for each other if one of them does more than append rows', async () => {
    const [one, other] = await openRivals()
    await begin(one)
    const committer = createCommitter(other)
    const commit = committer.commit(eventOf('first'))
    const waiting = `SELECT count(*) AS n FROM pg_locks JOIN pg_database d ON d.oid = database
      WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`
    await expect.poll(() => countOf(one, waiting)).toBe(1)
    one.connection.exec('COMMIT')
    expect(await commit).toMatchObject({ events: ['accepted'] })
    expect(countOf(one, 'SELECT count(*) AS n FROM issues')).toBe(1)
    await committer.close()
  })

  it('store an event once that both receive', async () => {
    const [one, other] = await openRivals()
    const [first, second] = [createCommitter(one), createCommitter(other)]
    const names = Array.from({ length: 40 }, (_, at) => `event ${at}`)
    for (let round = 0; round < 5; round += 1) {
      const entries = names.map((name) => eventOf(`${name} of ${round}`))
      // In opposite orders, so that transactions can wait for each other.
      const [own, others] = await Promise.all([
        Promise.all(entries.map((entry) => first.commit(entry))),
        Promise.all(entries.toReversed().map((entry) => second.commit(entry))),
      ])
      const ends = own.map(({ events }, at) => [...events, ...(others.at(-1 - at)?.events ?? [])].toSorted())
      expect(ends).toEqual(names.map(() => ['accepted', 'duplicate']))
    }
    // One after another: what one of them folds, the other one leaves to it.
    for (const committer of [first, second]) await committer.close()
    expect(countOf(one, 'SELECT count(*) AS n FROM events')).toBe(200)
    expect(countOf(one, 'SELECT event_count AS n FROM issues')).toBe(200)
    const counted = `SELECT sum(quantity) AS n FROM outcome_hours WHERE outcome = 'accepted'`
    expect(Number(countOf(one, counted))).toBe(200)
  })

  it('repeat a fold alone if it conflicts with another transaction', async () => {
    const [one, other] = await openRivals()
    // A transaction that shares its projects holds their two-part lock in shared mode.
    one.connection.exec(`CREATE FUNCTION conflict_if_shared() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT 1 FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'
        AND objsubid = 2 AND mode = 'ShareLock')
      THEN PERFORM nextval('conflicts'); RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END IF;
      RETURN OLD; END $$`)
    one.connection.exec('CREATE SEQUENCE conflicts')
    one.connection.exec(`CREATE TRIGGER conflict BEFORE DELETE ON counter_deltas
      FOR EACH ROW EXECUTE FUNCTION conflict_if_shared()`)
    one.connection.exec(
      `INSERT INTO counter_deltas (project_id, id, event_count, data) VALUES (${projectId}, 1, 1, '[]')`,
    )
    const committer = createCommitter(other)
    await committer.drain()
    expect(countOf(one, 'SELECT last_value::text AS n FROM conflicts WHERE is_called')).toBe('1')
    expect(committer.hasFailedToCount()).toBe(false)
    expect(Number(countOf(one, 'SELECT count(*) AS n FROM counter_deltas'))).toBe(0)
    await committer.close()
  })

  it('keep what they have written if the server ends while its log is not on disk yet', async () => {
    const [one] = await openRivals()
    // Servers of tests may have another default.
    one.connection.exec('SET synchronous_commit = on')
    await begin(one)
    expect(countOf(one, "SELECT current_setting('synchronous_commit') AS n")).toBe('off')
    const flushed = () => countOf(one, 'SELECT pg_current_wal_flush_lsn()::text AS n')
    one.connection.exec("INSERT INTO settings (key, value) VALUES ('a', 'b')")
    const inserted = String(countOf(one, 'SELECT pg_current_wal_insert_lsn()::text AS n'))
    one.connection.exec('COMMIT')
    const isFlushed = one.connection.prepare('SELECT (?::pg_lsn >= ?::pg_lsn)::text AS n')
    expect(isFlushed.get(String(flushed()), inserted)).toEqual({ n: 'true' })
  })
})
