import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { listComparedIssues } from '#server/store/imports/imported-issues.ts'
import { listKeyRows } from '#server/store/projects/key-changes.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { getProjectSettings } from '#server/store/projects/settings.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { startImportingServer } from '#test/importing-server.ts'
import { textLike } from '#test/matchers.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { makeTestFolder } from '#test/test-store.ts'
import {
  answerPages,
  bugsinkPages,
  deepEventPath,
  glitchtipPages,
  hostileBugsinkPages,
  sentryPages,
} from '#test/trackers.ts'
import { appConfig } from '../../app.config.ts'
import { importCompare } from '../../bin/commands/imports/compare.ts'
import { importBugsink, importGlitchtip, importSentry } from '../../bin/commands/imports/import-command.ts'

const { server, tracker, url, run, readState, sendWithSdk, findIssues, stop } = await startImportingServer()
afterAll(stop)

describe('culvert import sentry from the web API', () => {
  it('reports first what would be imported, and changes nothing', async () => {
    tracker.behave(answerPages(sentryPages))
    const before = await readState()
    const result = await run(importSentry, [url()])
    expect(result).toMatchObject({
      code: 0,
      stdout: textLike(
        /project {3}4711 {2}shop {2}\(new\)[^]*1111c3d4e5f60718293a4b5c6d7e8f90@[^]*1112c3d4e5f60718293a4b5c6d7e8f90@[^]*members {3}1 new[^]*acme \(relay_pii_config\)[^]*shop: its selection of legacy browsers[^]*monitors[^]*Nothing was changed/,
      ),
    })
    expect(await readState()).toBe(before)
  })

  it('obeys rate limits, continues after an interruption, and changes nothing when repeated', async () => {
    let limitedCount = 0
    let isBroken = true
    tracker.behave(
      answerPages(sentryPages, (response, { url: path }) => {
        if (path.endsWith('/projects/') && limitedCount++ === 0) {
          response.writeHead(429, { 'retry-after': '0' }).end()
          return true
        }
        if (!isBroken || !path.startsWith('/api/0/issues/902/')) return false
        response.writeHead(401).end()
        return true
      }),
    )
    expect(await run(importSentry, [url(), '--apply'])).toMatchObject({
      code: 1,
      // Accounts were imported, so the page of the set-up makes no owner any more.
      stdout: textLike(/Imported 1 project\.[^]*user reset-password ada@acme\.example/),
      stderr: textLike(/rejects the token/),
    })
    isBroken = false
    expect(await run(importSentry, [url(), '--apply'])).toMatchObject({
      code: 0,
      stdout: textLike(/shop: (?:1 issue|2 issues) with/),
    })
    expect(limitedCount).toBeGreaterThan(1)
    const after = await readState()
    expect(await run(importSentry, [url(), '--apply'])).toMatchObject({
      code: 0,
      stdout: textLike(
        /\(already exists\)[^]*0 issues with 0 events[^]*2 issues imported before[^]*1 issue without events/,
      ),
    })
    expect(await readState()).toBe(after)
  })

  it('sends no requests until the reset in an answer without remaining requests', async () => {
    let resetAt = 0
    let laterCount = 0
    let earlyCount = 0
    tracker.behave(
      answerPages(sentryPages, (response) => {
        if (resetAt === 0) {
          resetAt = Math.ceil(Date.now() / 1_000) + 1
          response.setHeader('x-sentry-rate-limit-remaining', '0')
          response.setHeader('x-sentry-rate-limit-reset', String(resetAt))
          return false
        }
        laterCount += 1
        // A timer may end a millisecond early.
        if (Date.now() < resetAt * 1_000 - 5) earlyCount += 1
        return false
      }),
    )
    expect(await run(importSentry, [url()])).toMatchObject({ code: 0 })
    expect([laterCount > 0, earlyCount]).toEqual([true, 0])
  })

  it('keeps id, key, short ids, counts, status, assignee, times and comments, without alerts', async () => {
    const { db } = server.services.store
    const ada = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'ada@acme.example')
      .executeTakeFirst()
    expect(await findIssues(4711)).toMatchObject([
      { number: 3, title: 'Odd', status: 'archived', event_count: 1 },
      {
        number: 46,
        title: textLike(/Payment failed|Card declined/),
        status: 'resolved',
        event_count: 1240,
        assignee_id: ada?.id,
      },
    ])
    const comments = await db
      .selectFrom('issue_activity')
      .select('detail')
      .where('kind', '=', 'comment')
      .execute()
    expect(comments).toEqual([{ detail: JSON.stringify({ text: '**Bob** wrote:\n\nThe bank was down.' }) }])
    expect(
      await db.selectFrom('alert_transitions').select('kind').where('project_id', '=', 4711).execute(),
    ).toEqual([])
    const { ref } = await db
      .selectFrom('releases')
      .select('ref')
      .where('version', '=', 'shop@1.2.0')
      .executeTakeFirstOrThrow()
    expect(ref).toBe('abc')
  })

  it('drops only events that the old project dropped, and scrubs what the organization scrubbed', async () => {
    expect(await getProjectSettings(server.services.store.db, 4711)).toMatchObject({
      filters: {
        rules: {
          'browser-extensions': false,
          'chunk-load-error': false,
          'legacy-browsers': false,
        },
      },
      scrubbing: { isOn: true, fields: ['passport', 'iban'], ipAddresses: 'remove' },
    })
  })

  it('puts the next event that an SDK sends to the old DSN into the imported issue', async () => {
    await sendWithSdk(4711, '1111c3d4e5f60718293a4b5c6d7e8f90', 'Payment failed')
    const issues = await findIssues(4711)
    expect(issues).toHaveLength(2)
    expect(issues[1]).toMatchObject({ status: 'unresolved', event_count: 1241 })
    tracker.behave(answerPages(sentryPages))
    await run(importSentry, [url(), '--apply'])
    const [compared] = await listComparedIssues(server.services.store.db, { projectIds: [4711], limit: 10 })
    expect(await run(importCompare, [])).toMatchObject({ stdout: textLike(/SHOP-1A +1240 +1241 +1 /) })
    expect(compared).toMatchObject({
      shortId: 'SHOP-1A',
      sourceShortId: 'SHOP-1A',
      sourceCount: 1240,
      ownCount: 1241,
    })
  })
})

describe('culvert import glitchtip', () => {
  it('gives a project another id if its id is taken, and its DSN keeps working', async () => {
    tracker.behave(answerPages(glitchtipPages))
    const result = await run(importGlitchtip, [url(), '--apply'])
    expect(result).toMatchObject({
      code: 0,
      stdout: textLike(/Project 1 already exists in Culvert[^]*ownership rules/),
    })
    const names = await listProjectNames(server.services.store.db)
    const web = names.find(({ slug }) => slug === 'web')
    expect(web?.id).toBeGreaterThan(43)
    const id = web?.id ?? 0
    expect(await findIssues(id)).toMatchObject([{ number: 5, status: 'archived', event_count: 40 }])
    const [tag] = await server.services.store.db
      .selectFrom('issue_tags')
      .select('value')
      .where('project_id', '=', id)
      .where('key', '=', 'browser')
      .execute()
    expect(tag).toEqual({ value: 'Firefox 120' })
    await sendWithSdk(1, '2222c3d4e5f60718293a4b5c6d7e8f90', 'To the old address')
    expect(await findIssues(id)).toHaveLength(2)
    const dsn = 'https://2222c3d4e5f60718293a4b5c6d7e8f90@culvert.example/1'
    const body = errorEnvelope({ header: { dsn } })
    const { status } = await fetch(`${server.origin}${appConfig.tunnelPath}`, { method: 'POST', body })
    expect(status).toBe(200)
    expect(await findIssues(id)).toHaveLength(3)
  })
})

describe('culvert import bugsink', () => {
  it('imports issues with the events as they were sent', async () => {
    tracker.behave(answerPages(bugsinkPages))
    expect(await run(importBugsink, [url(), '--apply'])).toMatchObject({
      code: 0,
      stdout: textLike(/worker: 1 issue with 1 event and[^]*1 release(?!s)/),
    })
    expect(await findIssues(77)).toMatchObject([{ title: 'ValueError', status: 'archived', event_count: 70 }])
    await sendWithSdk(77, '3333c3d4e5f60718293a4b5c6d7e8f90', 'Still here')
    expect(await findIssues(77)).toHaveLength(2)
  })
})

describe('a hostile tracker', () => {
  it('loses only unreadable events, and truncated lists are reported', async () => {
    tracker.behave(
      answerPages(hostileBugsinkPages, (response, { url: path }) => {
        if (path !== deepEventPath) return false
        const [begin, end] = ['{"a":', '}'].map((part) => part.repeat(100_000))
        response.end(
          `{"event_id":"${'f'.repeat(32)}","ingested_at":"2026-11-01T00:00:00Z","data":${begin}1${end}}`,
        )
        return true
      }),
    )
    expect(await run(importBugsink, [url(), '--apply'])).toMatchObject({
      code: 0,
      stdout: textLike(
        /deep: 1 issue with 1 event and[^]*1 issue without events omitted, 1 event too large or nested too deeply omitted, there are more than 10000 releases/,
      ),
    })
  })
})

describe('a tracker whose lists have no end', () => {
  it.each([
    ['empty pages', '[]', /returned 100 empty pages in a row/],
    ['pages of anything', '[1, "two"]', /returned 100 empty pages in a row/],
  ])('ends the import of %s with the reason', async (_name, page, expected) => {
    const before = await readState()
    let pageCount = 0
    tracker.behave((response) => {
      pageCount += 1
      response.setHeader(
        'link',
        `<http://${tracker.address}/x?cursor=${pageCount}>; rel="next"; results="true"`,
      )
      response.end(page)
    })
    expect(await run(importSentry, [url(), '--apply'])).toMatchObject({ code: 1, stderr: textLike(expected) })
    expect([pageCount, await readState()]).toEqual([100, before])
  })

  it('ends the import of a page that leads to itself', async () => {
    tracker.behave((response, { url: path }) => {
      const next = `http://${tracker.address}${path}`
      response.end(JSON.stringify({ next, results: [{ id: 1, slug: 'a' }] }))
    })
    expect(await run(importBugsink, [url()])).toMatchObject({
      code: 1,
      stderr: textLike(/links to the same page as the next one/),
    })
  })
})

const backup = new URL('../fixtures/imports/sentry-backup.json', import.meta.url)

describe('culvert import sentry from a backup', () => {
  it('imports ids, keys, settings, rules and members, and lists data that it does not import', async () => {
    const result = await run(importSentry, [backup.pathname, '--apply'])
    expect(result).toMatchObject({
      code: 0,
      stdout: textLike(
        /shop: its advanced scrubbing rules[^]*shop: its selection of legacy[^]*issues, events and releases[^]*sentry\.monitor \(2\), sentry\.team \(1\)[^]*projects: mail:subject_prefix \(1\)[^]*organizations: sentry:relay_pii_config \(1\)[^]*"To Slack"/,
      ),
    })
    const { db } = server.services.store
    const id = 4_505_281_256_090_153
    expect(
      (await listKeyRows(db, id)).map(({ label, isActive, settings }) => [label, isActive, settings]),
    ).toMatchObject([
      ['Default', true, { rateLimits: { all: { quantity: 500, windowSeconds: 60 } } }],
      ['Mobile', false, { rateLimits: {} }],
    ])
    expect(await getProjectSettings(db, id)).toMatchObject({
      allowedOrigins: ['https://shop.example'],
      filters: {
        rules: {
          'browser-extensions': false,
          'legacy-browsers': false,
          'web-crawlers': false,
          'react-hydration-errors': false,
        },
      },
      scrubbing: { fields: ['passport', 'iban'] },
      ownership: { rules: 'path:src/pay/* ada@acme.example', isAutoAssigned: true },
    })
    const ada = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'ada@acme.example')
      .executeTakeFirst()
    const rules = await db.selectFrom('alert_rules').select('rule').where('project_id', '=', id).execute()
    expect(rules.map(({ rule }): unknown => JSON.parse(rule))).toMatchObject([
      { name: 'New in production', actions: [{ kind: 'person', id: ada?.id }] },
    ])
    await sendWithSdk(id, 'a1b2c3d4e5f60718293a4b5c6d7e8f90', 'From the shop')
    expect(await findIssues(id)).toHaveLength(1)
  })

  it('rejects damaged and contradictory files, and imports nothing of them', async () => {
    const text = await readFile(backup, 'utf8')
    const folder = await makeTestFolder()
    const file = join(folder, 'backup.json')
    const before = await readState()
    const twice = text.replaceAll('b1b2c3d4e5f60718293a4b5c6d7e8f90', 'a1b2c3d4e5f60718293a4b5c6d7e8f90')
    const attempts: [string, RegExp][] = [
      [text.slice(0, 900), /damaged or incomplete/],
      ['PK\u0003\u0004', /not a backup of Sentry[^]*Decrypt/],
      ['[1, 2]', /no "model"/],
      ['[]', /no organization/],
      [twice, /appears twice/],
    ]
    for (const [content, problem] of attempts) {
      await writeFile(file, content)
      expect(await run(importSentry, [file, '--apply'])).toMatchObject({ code: 1, stderr: textLike(problem) })
    }
    await writeFile(file, text)
    expect(await run(importSentry, [file, '--project', 'none', '--apply'])).toMatchObject({
      code: 1,
      stderr: textLike(/no project none/),
    })
    expect(await readState()).toBe(before)
  })
})

it('names the problem of a tracker, and imports nothing', async () => {
  const before = await readState()
  tracker.behave(answerPages(sentryPages))
  expect(await run(importSentry, [url(), '--apply'], 'wrong')).toMatchObject({
    code: 1,
    stderr: textLike(/rejects the token/),
  })
  expect(await run(importSentry, [url(), '--apply'], '')).toMatchObject({
    code: 2,
    stderr: textLike(/CULVERT_IMPORT_TOKEN/),
  })
  expect(await run(importSentry, [url(), '--project', 'none'])).toMatchObject({
    stderr: textLike(/no project none/),
  })
  tracker.behave((response) => response.writeHead(302, { location: 'https://elsewhere.example/' }).end())
  expect(await run(importGlitchtip, [url()])).toMatchObject({
    code: 1,
    stderr: textLike(/redirects to https:\/\/elsewhere/),
  })
  tracker.behave((response) => response.end('<html>'))
  expect(await run(importBugsink, [url()])).toMatchObject({
    code: 1,
    stderr: textLike(/did not return JSON/),
  })
  tracker.behave(answerPages({}))
  expect(await run(importBugsink, [url()])).toMatchObject({ code: 1, stderr: textLike(/returned 404/) })
  expect(await readState()).toBe(before)
})

it('has the same counts, hashes and texts as after ingest', () => {
  expect(findBrokenInvariants(server.services.store)).toEqual([])
})
