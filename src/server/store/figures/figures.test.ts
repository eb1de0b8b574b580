import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createBlockIds } from '#server/store/events/body-block.ts'
import { createBatchCache } from '#server/store/ingest/batch-cache.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { createTagWriter } from '#server/store/ingest/tag-writer.ts'
import { readStreamFrame } from '#server/store/issues/stream-frame.ts'
import { listFilterChoices, listProjectRows } from '#server/store/projects/projects.ts'
import { makeEventRecord, openTestStore, testNow, entryOf } from '#test/test-store.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import type { Figure } from '#traces/figures.ts'
import { countValues, quantileOf } from '#traces/histogram.ts'
import { foldFigureDeltas } from './fold.ts'
import { listNames, readFigures, sumBy, type FigureRange } from './read-figures.ts'
import type { FigureRecord } from './records.ts'
import { writeFigureDeltas } from './writer.ts'

function figureOf(name: string, values: number[], fields: Partial<Figure> = {}): Figure {
  return {
    kind: 'transaction',
    name,
    op: 'http.server',
    facet: 'production',
    count: values.length,
    weight: values.length * 2,
    failureCount: 1,
    goodCount: 0,
    sum: values.reduce((sum, value) => sum + value, 0),
    values,
    ...fields,
  }
}

async function openFigures() {
  let now = testNow
  const store = await openTestStore({ clock: () => now })
  const committer = createCommitter(store)
  const commit = (figures: Figure[], { projectId = 1, at = now } = {}) => {
    const record: FigureRecord = { projectId, receivedAt: at, figures }
    return committer.commit({ events: [], outcomes: [], deadLetters: [], figures: [record] })
  }
  const count = (table: string, where = 'true') =>
    Number(store.connection.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get()?.['n'])
  const list = (fields: Partial<FigureRange> = {}, kind: Figure['kind'] = 'transaction') =>
    listNames(store.db, {
      kind,
      range: {
        projectIds: [1],
        series: kind,
        step: 'hour',
        from: now - hourMs,
        to: now + hourMs,
        ...fields,
      },
      limit: limits.figuresShown,
    })
  return { store, committer, commit, count, list, setNow: (at: number) => void (now = at) }
}

/** Without a committer, which would fold on its own. */
async function openFolder() {
  const { store, count } = await openFigures()
  const nextBlockId = createBlockIds(store.clock)
  const cache = createBatchCache(store.engine)
  const folder = { ...createTagWriter(store), cache, nextBlockId, expectFold: () => undefined }
  const inTransaction = <Result>(run: () => Result): Result => {
    store.connection.exec('BEGIN')
    const result = run()
    store.connection.exec('COMMIT')
    return result
  }
  const add = (added: Figure[], projectId = 1) =>
    inTransaction(() => writeFigureDeltas(folder, [{ projectId, receivedAt: testNow, figures: added }]))
  const written: number[] = []
  const fold = (takesNew: boolean) => {
    const before = count('figure_names')
    const result = inTransaction(() => foldFigureDeltas(folder, { takesNew }))
    written.push(count('figure_names') - before)
    return result
  }
  return { count, add, fold, written }
}

describe('figures', () => {
  it('are deltas until they are folded', async () => {
    const { count, add, fold } = await openFolder()
    add([figureOf('GET /a', [1_000, 2_000])])
    add([figureOf('GET /a', [3_000])])
    expect([count('figures'), count('figure_deltas')]).toEqual([0, 2])
    fold(true)
    expect([count('figures'), count('figure_deltas')]).toEqual([3, 0])
  })

  it('are counted by minute, hour and day', async () => {
    const { store, committer, commit, count, list } = await openFigures()
    await commit([figureOf('GET /a', [1_000, 2_000])])
    await commit([figureOf('GET /a', [3_000]), figureOf('GET /a', [9], { facet: 'staging' })])
    await committer.drain()
    expect(count('figure_deltas')).toBe(0)
    expect(count('figures')).toBe(6)
    for (const step of ['minute', 'hour', 'day'] as const)
      expect(await list({ step, from: testNow - dayMs, facet: 'production' })).toMatchObject([
        { op: 'http.server', name: 'GET /a', count: 3, sum: 6_000 },
      ])
    const [name] = await list()
    const rows = await readFigures(store.db, {
      projectIds: [1],
      series: 'transaction',
      step: 'hour',
      from: testNow - hourMs,
      to: testNow + 1,
      nameIds: [name?.nameId ?? 0],
      by: 'facet',
    })
    const production = sumBy(rows, ({ facet }) => facet).get('production')
    expect(production).toMatchObject({ count: 3, weight: 6, failureCount: 2, sum: 6_000 })
    expect(countValues(production?.histogram ?? new Map())).toBe(3)
    expect(quantileOf(production?.histogram ?? new Map(), 0.5)).toBeCloseTo(2_000, -2)
  })

  it('of more names than one transaction writes are written in parts, each once', async () => {
    const { count, add, fold, written } = await openFolder()
    const names = Array.from({ length: limits.figuresPerPart * 5 + 7 }, (_, index) => `n${index}`)
    const figures = names.map((name, index) => figureOf(name, [1_000, index]))
    for (let times = 0; times < limits.figureFoldDeltas + 3; times += 1) add(figures.slice(-20))
    add(figures)
    add(figures.slice(0, 100), 2)
    const { isWhole: isFirstWhole } = fold(true)
    // Figures that arrive between the parts are counted after them.
    add(figures.slice(0, 1))
    while (!fold(false).isWhole) expect(count('figure_deltas', 'id > 0')).toBe(1)
    expect([isFirstWhole, fold(true).isWhole]).toEqual([false, true])
    expect(Math.max(...written)).toBeLessThan(1.5 * limits.figuresPerPart)
    expect(count('figure_deltas')).toBe(0)
    const rows = `series = 'transaction' AND step = 'day'`
    expect(count('figures', `${rows} AND project_id = 1 AND value_count = 2`)).toBe(names.length - 21)
    expect(count('figures', `${rows} AND value_count = ${(limits.figureFoldDeltas + 4) * 2}`)).toBe(20)
    expect(count('figures', `${rows} AND project_id = 2 AND value_count = 2`)).toBe(100)
    expect(count('figures', `${rows} AND value_count = 4`)).toBe(1)
  })

  it('of many projects with a name each are written together', async () => {
    const { count, add, fold, written } = await openFolder()
    const projectCount = limits.figuresPerPart * 3
    for (let projectId = 1; projectId <= projectCount; projectId += 1)
      add([figureOf('GET /a', [1])], projectId)
    expect(fold(true).isWhole).toBe(false)
    while (!fold(false).isWhole);
    expect(count('figure_names')).toBe(projectCount)
    expect(written.filter((names) => names > 0)).toHaveLength(6)
  })

  it('of another project are separate', async () => {
    const { committer, commit, list } = await openFigures()
    await commit([figureOf('GET /a', [1])])
    await commit([figureOf('GET /a', [1, 1])], { projectId: 2 })
    await committer.drain()
    expect(await list()).toMatchObject([{ count: 1 }])
    expect(await list({ projectIds: [2] })).toMatchObject([{ count: 2 }])
  })

  it('have releases, groups of spans by transaction, and vitals by hour and day', async () => {
    const { committer, commit, count, list } = await openFigures()
    const query = { kind: 'span', op: 'db', facet: 'GET /a' } as const
    await commit([
      figureOf('GET /a', [1], { release: 'web@1' }),
      figureOf('SELECT %s', [5, 5], query),
      figureOf('SELECT %s', [7], { ...query, facet: 'GET /b' }),
      figureOf('/cart', [2_400_000], { kind: 'vital', op: '', facet: 'lcp mobile', goodCount: 1 }),
    ])
    await committer.drain()
    expect(count('figures', `series = 'release' AND facet = 'web@1' AND step = 'hour'`)).toBe(1)
    expect(count('figures', `series = 'span' AND length(histogram) = 0`)).toBe(4)
    expect(count('figures', `series = 'group' AND length(histogram) > 0`)).toBe(2)
    for (const series of ['span', 'group'] as const)
      expect(await list({ series }, 'span')).toMatchObject([
        { op: 'db', name: 'SELECT %s', count: 3, sum: 17 },
      ])
    expect(await list({ facet: 'lcp mobile' }, 'vital')).toMatchObject([{ name: '/cart' }])
    expect(count('figures', `series = 'vital' AND good_count = 1`)).toBe(2)
  })

  it('make environments and releases known that no event names, and no events of them', async () => {
    const { store, committer, commit, setNow } = await openFigures()
    const rowsOf = (sql: string) => store.connection.prepare(sql).all()
    const release = 'web@1.2.0'
    await commit([figureOf('GET /a', [1], { facet: 'qa', release }), figureOf('GET /a', [1])])
    await committer.commit(entryOf(makeEventRecord({ environment: 'production', occurredAt: testNow - 5 })))
    await committer.drain()
    setNow(testNow + dayMs)
    await commit([figureOf('GET /b', [1], { facet: 'qa', release }), figureOf('GET /b', [1])])
    await committer.drain()
    expect(await listFilterChoices(store.db, [1])).toMatchObject({ environments: ['production', 'qa'] })
    // Retention keeps the time at which an environment was last seen; for an environment with events, that of
    // its last event.
    expect(rowsOf('SELECT name, last_seen_at, event_count FROM environments ORDER BY name')).toEqual([
      { name: 'production', last_seen_at: testNow - 5, event_count: 1 },
      { name: 'qa', last_seen_at: testNow + dayMs, event_count: 0 },
    ])
    expect(
      rowsOf('SELECT version, package, created_at, last_seen_at, event_count FROM releases'),
    ).toMatchObject([
      {
        version: release,
        package: 'web',
        created_at: testNow,
        last_seen_at: testNow + dayMs,
        event_count: 0,
      },
    ])
    expect(rowsOf('SELECT environment FROM release_environments')).toEqual([{ environment: 'qa' }])
    expect(rowsOf(`SELECT kind FROM alert_transitions WHERE kind = 'release'`)).toHaveLength(1)
  })

  it('do not count as the first event', async () => {
    const { store, committer, commit } = await openFigures()
    await commit([figureOf('GET /a', [1])])
    await committer.drain()
    expect(await listFilterChoices(store.db, [1])).toMatchObject({
      environments: ['production'],
      isEmptyInstallation: true,
    })
    const [row] = await listProjectRows(store.db, { projectIds: [1], now: testNow })
    expect(row?.lastEventAt).toBeUndefined()
    const viewer = { userId: '', organizationIds: [], projectIds: [1] }
    const frame = await readStreamFrame(store.db, viewer)
    expect(frame).toMatchObject({ isEmptyInstallation: true, isEmptyBesidesOwn: true })
    await committer.commit(entryOf(makeEventRecord({})))
    expect(await readStreamFrame(store.db, viewer)).toMatchObject({
      isEmptyInstallation: false,
      isEmptyBesidesOwn: false,
    })
  })

  it('name no more environments than a project may have', async () => {
    const { committer, commit, count } = await openFigures()
    const names = Array.from({ length: limits.environmentsPerProject + 10 }, (_, index) => `pr-${index}`)
    await commit(names.map((facet) => figureOf('GET /a', [1], { facet })))
    await committer.drain()
    await commit([figureOf('GET /b', [1], { facet: 'pr-x' })])
    await committer.drain()
    expect(count('environments')).toBe(limits.environmentsPerProject)
  })

  it('of more names than a day may have are one', async () => {
    const { committer, commit, list, setNow, count } = await openFigures()
    const names = Array.from({ length: limits.figureNamesPerDay + 50 }, (_, index) =>
      figureOf(`n${index}`, [1]),
    )
    await commit(names.slice(0, 600))
    await committer.drain()
    await commit([...names, figureOf('n3', [1])])
    await committer.drain()
    expect(count('figure_names')).toBe(limits.figureNamesPerDay + 1)
    expect(count('figures', `step = 'day'`)).toBe(limits.figureNamesPerDay + 1)
    const total = (await list({ step: 'day', from: 0 })).find(({ name }) => name === '<other>')
    expect(total).toMatchObject({ count: 50 })
    setNow(testNow + dayMs)
    await commit([figureOf(`n${limits.figureNamesPerDay + 20}`, [1])])
    await committer.drain()
    expect(await list()).toMatchObject([{ name: `n${limits.figureNamesPerDay + 20}` }])
  })

  it('have a bounded number of rows a minute, and lose no count beyond it', async () => {
    const { store, committer, commit, count, list } = await openFigures()
    const environments = Array.from({ length: limits.figureRowsPerMinute + 20 }, (_, index) =>
      figureOf('GET /a', [10], { facet: `pr-${index}` }),
    )
    await commit(environments.slice(0, 15))
    await committer.drain()
    await commit(environments)
    await committer.drain()
    await commit([figureOf('GET /a', [10], { facet: 'one more' })])
    await committer.drain()
    expect(count('figures', `step = 'minute'`)).toBe(limits.figureRowsPerMinute + 1)
    const sum = store.connection
      .prepare(`SELECT sum(value_count) AS n FROM figures WHERE step = 'minute'`)
      .get()
    expect(Number(sum?.['n'])).toBe(limits.figureRowsPerMinute + 20 + 15 + 1)
    // Names beyond the limit are counted under `<other>`, without an environment.
    const minute = { step: 'minute', facet: '' } as const
    expect(await list(minute)).toMatchObject([{ name: '<other>', count: 20 + 1 }])
  })

  it('that are damaged are dropped, and others are counted', async () => {
    const { store, committer, commit, count, list } = await openFigures()
    for (const [index, data] of ['[', '{}', '["transaction"]', '[1,2,3,4,5,6,7,8,9,10,11,12]'].entries())
      store.connection.prepare(`INSERT INTO figure_deltas VALUES (1, ?, ?)`).run(index + 1, data)
    await commit([figureOf('GET /a', [1])])
    await committer.drain()
    expect(count('figure_deltas')).toBe(0)
    expect(await list()).toMatchObject([{ count: 1 }])
  })

  it('that are damaged do not take others of their delta with them', async () => {
    const { store, committer, commit, count, list } = await openFigures()
    const minute = testNow - (testNow % minuteMs)
    const figure = (name: unknown, weight: unknown, pairs: unknown = [0, 1]) =>
      ['transaction', 'http.server', name, 'production', '', minute, 1, weight, 0, 0, 1, pairs] as const
    const delta = [figure(null, 1), figure('a', 2), figure('b', null), figure('c', 1, 7), figure('d', 1e308)]
    store.connection.prepare(`INSERT INTO figure_deltas VALUES (1, 1, ?)`).run(JSON.stringify(delta.flat()))
    await commit([figureOf('a', [1])])
    await committer.drain()
    expect(count('figure_deltas')).toBe(0)
    const names = await list()
    expect(names.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'd'])
    const rows = await readFigures(store.db, {
      projectIds: [1],
      series: 'transaction',
      step: 'hour',
      from: testNow - hourMs,
      to: testNow + 1,
      nameIds: names.map(({ nameId }) => nameId),
      by: 'name',
    })
    expect(rows.map(({ sums }) => sums.weight).toSorted((one, other) => one - other)).toEqual([
      4,
      1 / limits.lowestSampleRate,
      1 / limits.lowestSampleRate,
    ])
  })

  it('of any weights and durations can be folded and read, also those of earlier versions', async () => {
    const { store, committer, commit, list } = await openFigures()
    const range = {
      projectIds: [1],
      series: 'transaction',
      step: 'hour',
      from: testNow - hourMs,
      to: testNow + 1,
      by: 'name',
    } as const
    const readSums = async () => {
      const nameIds = (await list()).map(({ nameId }) => nameId)
      const [row] = await readFigures(store.db, { ...range, nameIds })
      return [row?.sums.count, row?.sums.weight, row?.sums.sum]
    }
    const long = { sum: limits.figureValueSum }
    for (const facet of ['one', 'two']) await commit([figureOf('a', [1], { facet, ...long })])
    await committer.drain()
    store.connection.prepare(`UPDATE figures SET weight = 1.6e308, value_sum = 9200000000000000000`).run()
    expect(await readSums()).toEqual([2, 2 / limits.lowestSampleRate, 1.84e19])
    expect(await list()).toMatchObject([{ sum: 1.84e19 }])
    await commit(['one', 'two'].map((facet) => figureOf('a', [1], { facet, ...long })))
    await committer.drain()
    expect(await readSums()).toEqual([4, 2 / limits.lowestSampleRate + 4, 2 * limits.figureValueSum])
  })

  it('are folded by the next process where one ended before', async () => {
    const { store, commit, list } = await openFigures()
    await commit([figureOf('GET /a', [1])])
    const next = createCommitter(store)
    await next.drain()
    expect(await list()).toMatchObject([{ count: 1 }])
    await next.commit(entryOf())
  })

  it('count late spans in the minute of their arrival', async () => {
    const { committer, commit, count } = await openFigures()
    await commit([figureOf('GET /a', [1])], { at: testNow - 3 * minuteMs })
    await commit([figureOf('GET /a', [1])])
    await committer.drain()
    expect(count('figures', `step = 'minute'`)).toBe(2)
  })
})
