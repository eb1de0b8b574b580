import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { openStore } from '#server/store/store.ts'
import { prepareCommandLine } from '#test/command-line.ts'
import { textLike } from '#test/matchers.ts'
import { makeEventRecord, testId, entryOf } from '#test/test-store.ts'
import { dayMs } from '#time/time-steps.ts'
import { projectAdd } from './projects/add.ts'
import { retentionRun } from './retention/run.ts'
import { retentionSet } from './retention/set.ts'
import { retentionShow } from './retention/show.ts'

const commandLine = prepareCommandLine()
const { run } = commandLine

/** Ingests events of the project, received `days` days ago. */
const receive = (days: number, ...names: string[]) => receiveIn(42, days, ...names)

async function receiveIn(projectId: number, days: number, ...names: string[]): Promise<void> {
  const at = Date.now() - days * dayMs
  const store = await openStore({ path: join(commandLine.path, 'culvert.db'), clock: () => at })
  const events = names.map((name) =>
    makeEventRecord({
      projectId,
      eventId: testId(name),
      groupHash: testId(name),
      occurredAt: at,
      receivedAt: at,
    }),
  )
  await createCommitter(store).commit(entryOf(...events))
  await store.close()
}

describe('culvert retention show and set', () => {
  it('show the defaults, change them, and reset them', async () => {
    expect((await run(retentionShow)).stdout).toContain('42 fixture: 90 days, at most 1000000 events\n')
    const set = await run(retentionSet, 'fixture', '--days', '30')
    expect(set).toEqual({ code: 0, stderr: '', stdout: '42 fixture: 30 days, at most 1000000 events\n' })
    await run(retentionSet, '42', '--events', '500')
    const shown = await run(retentionShow, '42', '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject([{ project: { id: 42 }, days: 30, events: 500 }])
    const reset = await run(retentionSet, '42', '--reset', '--days', '7')
    expect(reset.stdout).toBe('42 fixture: 7 days, at most 1000000 events\n')
  })

  it('report all problems at once', async () => {
    const result = await run(retentionSet, '--days', '3651', '--events', '0')
    expect(result).toMatchObject({ code: 2, stdout: '' })
    for (const problem of [
      'One project is needed',
      '--days is 3651',
      '--events is "0"',
      'Usage: culvert retention set',
    ]) {
      expect(result.stderr).toContain(problem)
    }
    expect(await run(retentionSet, '42')).toMatchObject({ stderr: textLike(/Nothing to set/) })
    expect(await run(retentionShow, 'nobody')).toMatchObject({
      code: 1,
      stderr: textLike(/Unknown project "nobody"/),
    })
  })
})

describe('culvert retention run', () => {
  it('lists the deletions in a dry run, then performs them once', async () => {
    await receive(100, 'old one', 'old two')
    await receive(1, 'young')
    const dry = await run(retentionRun, '--dry-run')
    expect(dry.stdout).toMatch(
      /^Would be deleted:\n {2}42 fixture: events 2 too old, 0 too many, .*; issues without events 2/,
    )
    const done = await run(retentionRun)
    expect(done.stdout).toMatch(
      /^Deleted:\n {2}42 fixture: events 2 too old, 0 too many, .*; issues without events 2/,
    )
    expect(done.stdout).toMatch(/In use: .* kB before, .* kB after, [0-9.]+ GB at most/)
    expect((await run(retentionRun)).stdout).toMatch(/^No event was deleted\.\n/)
  })

  it('continues after an error about a project, and ends with its name', async () => {
    await run(projectAdd, 'broken', '--id', '41')
    await receive(100, 'of fixture')
    await receiveIn(41, 100, 'of broken')
    const database = new DatabaseSync(join(commandLine.path, 'culvert.db'))
    database.exec(`CREATE TRIGGER broken BEFORE DELETE ON events WHEN OLD.project_id = 41
      BEGIN SELECT RAISE(ABORT, 'a bug of the statement'); END`)
    database.close()
    const failed = await run(retentionRun, '--trust-clock')
    expect(failed).toMatchObject({ code: 1, stdout: textLike(/42 fixture: events 1 too old/) })
    expect(failed.stderr).toContain('Retention of 41 broken failed: a bug of the statement')
  })

  it('rejects an implausible clock unless --trust-clock is set', async () => {
    await receive(100, 'newest of all')
    const rejected = await run(retentionRun)
    expect(rejected.stdout).toMatch(
      /^No event was deleted\.\n(.*\n)*Age-based retention was skipped.*--trust-clock/,
    )
    const trusted = await run(retentionRun, '--trust-clock')
    expect(trusted.stdout).toContain('42 fixture: events 1 too old')
  })
})
