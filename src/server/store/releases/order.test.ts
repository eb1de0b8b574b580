import { describe, expect, it } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { prepareIngestStatements } from '#server/store/ingest/statements.ts'
import { readIssueChoices } from '#server/store/triage/choices.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId, testNow, entryOf } from '#test/test-store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { compareReleaseOfEvent, compareReleases, findLatestRelease } from './order.ts'

/** A project whose releases were first seen one minute apart. */
async function openWith(...versions: string[]) {
  const store = await openTestStore()
  const committer = createCommitter(store)
  for (const [index, release] of versions.entries()) {
    const occurredAt = testNow + index * minuteMs
    await committer.commit(entryOf(makeEventRecord({ eventId: testId(release), release, occurredAt })))
  }
  const statements = prepareIngestStatements(store)
  return {
    store,
    committer,
    latest: async () => (await findLatestRelease(store.db, 1))?.version,
    isNewer: (version: string, than: string, missingAt = Infinity) =>
      compareReleaseOfEvent(statements, 1, { version, than, missingAt }) > 0,
  }
}

const at = (version: string, datedAt: number) => ({ version, datedAt })

/** An event of a release, this many minutes from now. */
const eventIn = (name: string, environment: string, minutes: number) =>
  makeEventRecord({
    eventId: testId(name),
    release: 'web@1.2.3',
    environment,
    occurredAt: testNow + minutes * minuteMs,
  })

describe('the latest release', () => {
  it('is undefined without releases', async () => {
    const { latest } = await openWith()
    expect(await latest()).toBeUndefined()
  })

  it('is the highest version, not the last one created', async () => {
    const { latest } = await openWith('web@1.9.0', 'web@1.10.0', 'web@1.10.0-rc.1', 'web@1.9.1')
    expect(await latest()).toBe('web@1.10.0')
  })

  it('is of the package of the last release', async () => {
    const { latest } = await openWith('app@7.0.0', 'web@1.2.0', 'web@1.1.0')
    expect(await latest()).toBe('web@1.2.0')
  })

  it('is the last one created among commits', async () => {
    const { latest } = await openWith('web@9.0.0', '3e1c8b0', '1f00ba1')
    expect(await latest()).toBe('1f00ba1')
  })

  it('is the last one created among builds that are commits', async () => {
    const { latest } = await openWith(
      'web@1.0.0+f00ba11',
      'web@1.0.0+3e1c8b0',
      'web@1.0.0+1234567',
      'web@0.9.0',
    )
    expect(await latest()).toBe('web@1.0.0+1234567')
  })

  it('is the first that an issue can be resolved in, also when an older version was created last', async () => {
    const { store } = await openWith('web@1.9.0', 'web@2.0.0', 'web@1.9.1')
    const { releases } = await readIssueChoices(store.db, 1)
    expect(releases).toEqual(['web@2.0.0', 'web@1.9.1', 'web@1.9.0'])
  })

  it('is of its project', async () => {
    const { store } = await openWith('web@1.0.0')
    expect(await findLatestRelease(store.db, 2)).toBeUndefined()
  })

  it.skipIf(onPostgres)('is found by index', async () => {
    const { store } = await openWith('web@1.0.0')
    const plans = (sql: string) =>
      store.connection
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => row['detail'])
    expect(
      plans(`SELECT version FROM releases WHERE project_id = 1
        ORDER BY coalesce(released_at, created_at) DESC, version DESC LIMIT 1`),
    ).toEqual([expect.stringContaining('USING COVERING INDEX releases_project_date')])
    expect(
      plans(`SELECT version FROM releases WHERE project_id = 1 AND package = 'web' AND version_order <> ''
        ORDER BY version_order DESC LIMIT 1`),
    ).toEqual([expect.stringContaining('INDEX releases_project_order')])
  })
})

describe('a newer release', () => {
  it('has the higher version, in any order of creation', async () => {
    const { isNewer } = await openWith('web@2.0.0', 'web@1.0.0')
    expect(isNewer('web@2.0.0', 'web@1.0.0')).toBe(true)
    expect(isNewer('web@1.0.0', 'web@2.0.0')).toBe(false)
    expect(isNewer('web@2.0.0', 'web@2.0.0')).toBe(false)
    expect(isNewer('web@2.0', 'web@2.0.0')).toBe(false)
  })

  it('was created later when versions cannot be compared', async () => {
    const { isNewer } = await openWith('3e1c8b0', '1f00ba1', 'app@1.0.0')
    expect(isNewer('1f00ba1', '3e1c8b0')).toBe(true)
    expect(isNewer('3e1c8b0', '1f00ba1')).toBe(false)
    expect(isNewer('app@1.0.0', '1f00ba1')).toBe(true)
  })

  it('was created later among builds that are commits, and has the higher number among others', async () => {
    const { isNewer } = await openWith('web@1.0.0+f00ba11', 'web@1.0.0+3e1c8b0', 'web@1.0.0+1234567')
    expect(isNewer('web@1.0.0+3e1c8b0', 'web@1.0.0+f00ba11')).toBe(true)
    expect(isNewer('web@1.0.0+f00ba11', 'web@1.0.0+3e1c8b0')).toBe(false)
    expect(isNewer('web@1.0.0+1234567', 'web@1.0.0+3e1c8b0')).toBe(true)
    expect(isNewer('web@1.0.0+f00ba11', 'web@1.0.0')).toBe(true)
    expect(isNewer('web@1.0.0+9', 'web@1.0.0+10')).toBe(false)
    expect(isNewer('web@1.0.1+0a1', 'web@1.0.0+ff2')).toBe(true)
  })

  it('may be one that is still being rolled out', async () => {
    const { isNewer } = await openWith('3e1c8b0')
    expect(isNewer('1f00ba1', '3e1c8b0')).toBe(true)
    expect(isNewer('3e1c8b0', 'never heard of')).toBe(false)
    expect(isNewer('neither', 'never heard of')).toBe(false)
  })

  it('is compared with the given date of one that was deleted', async () => {
    const { isNewer } = await openWith('3e1c8b0')
    expect(isNewer('3e1c8b0', 'deleted', testNow - 1)).toBe(true)
    expect(isNewer('3e1c8b0', 'deleted', testNow + 1)).toBe(false)
    expect(isNewer('1f00ba1', 'deleted', testNow + 1)).toBe(true)
    expect(isNewer('web@1.0.0', 'web@1.1.0', testNow - 1)).toBe(false)
  })

  it('is determined the same way in memory', () => {
    expect(compareReleases(at('web@1.10.0', 1), at('web@1.9.0', 2))).toBeGreaterThan(0)
    expect(compareReleases(at('abc', 1), at('web@1.9.0', 2))).toBeLessThan(0)
  })
})

describe('the releases of events', () => {
  it('keep the date of their first event, and store their environments', async () => {
    const { store, committer } = await openWith('web@1.2.3')
    await committer.commit(entryOf(eventIn('a', 'staging', -5), eventIn('b', 'production', 5)))
    await committer.commit(entryOf(eventIn('c', 'staging', 1)))
    expect(store.connection.prepare('SELECT * FROM releases').get()).toMatchObject({
      package: 'web',
      version_order: 'a1a2a3a0~ ',
      created_at: testNow,
      first_seen_at: testNow - 300_000,
      last_seen_at: testNow + 300_000,
      event_count: 4,
    })
    const environments = store.connection.prepare(
      'SELECT environment, first_seen_at FROM release_environments',
    )
    expect(environments.all()).toEqual([
      { environment: 'production', first_seen_at: testNow },
      { environment: 'staging', first_seen_at: testNow - 300_000 },
    ])
    store.connection.exec('DELETE FROM releases')
    expect(environments.all()).toEqual([])
  })

  it('are recorded with the issues that they introduced and reopened', async () => {
    const { store, committer } = await openWith('web@1.0.0')
    const issue = store.connection.prepare('SELECT status, first_release, regressed_release FROM issues')
    expect(issue.get()).toEqual({ status: 'unresolved', first_release: 'web@1.0.0', regressed_release: null })
    store.connection.exec(`UPDATE issues SET status = 'resolved', status_changed_at = ${testNow}`)
    const later = { eventId: testId('later'), release: 'web@1.1.0', occurredAt: testNow + 1 }
    await committer.commit(entryOf(makeEventRecord(later)))
    expect(issue.get()).toEqual({
      status: 'unresolved',
      first_release: 'web@1.0.0',
      regressed_release: 'web@1.1.0',
    })
  })
})
