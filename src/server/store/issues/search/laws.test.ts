import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toExpression } from '#search/expression.ts'
import { parseSearch } from '#search/parse-search.ts'
import { searchWords } from '#search/words.ts'
import { issueSorts, issueStatuses } from '#server/store/issues/records.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId, testNow } from '#test/test-store.ts'
import { listIssues } from './issue-list.ts'

const letters = ['a', 'b', 'c']
const pick = <T>(values: readonly T[], index: number, step: number) =>
  values[Math.floor(index / step) % values.length]

/** 54 issues, each with another mixture of properties, in two projects and three statuses. */
async function openMixture() {
  const store = await openTestStore()
  const events = Array.from({ length: 54 }, (_, index) => {
    const [one, two, three] = [1, 3, 9].map((step) => pick(letters, index, step) ?? '')
    const at = testNow - index * 5_000_000
    return makeEventRecord({
      groupHash: testId(`group ${index}`),
      eventId: testId(`event ${index}`),
      traceId: testId(`trace ${index % 4}`),
      projectId: index % 2 === 0 ? 1 : 2,
      title: `${one?.toUpperCase()}Error`,
      subtitle: `cannot ${two} the *${three}*`,
      culprit: `${three}(app.js)`,
      level: index % 5 === 0 ? 'fatal' : 'error',
      platform: pick(['node', 'python'], index, 2) ?? 'node',
      environment: pick(['prod', 'staging'], index, 4) ?? 'prod',
      release: `shop@1.${index % 7}.0`,
      receivedAt: at,
      occurredAt: at,
      userKey: `id:${index % 6}`,
      tags: [
        ['release', `shop@1.${index % 7}.0`],
        ['region', `${one}${two}`],
        ['user', `id:${index % 6}`],
        ['handled', index % 3 === 0 ? 'no' : 'yes'],
        ...(index % 4 === 0 ? [['rare', three] as [string, string]] : []),
      ],
    })
  })
  await store.commit(...events)
  store.connection.exec(`UPDATE issues SET status = 'resolved' WHERE number % 3 = 1`)
  store.connection.exec(`UPDATE issues SET status = 'archived' WHERE number % 7 = 1`)
  store.connection.exec(
    `INSERT INTO users (id, name, email, created_at, updated_at) VALUES ('ada', 'Ada', 'ada@example.com', '', '')`,
  )
  store.connection.exec(`UPDATE issues SET assignee_id = 'ada' WHERE number % 4 = 1`)
  const projects = [
    { id: 1, slug: 'web' },
    { id: 2, slug: 'api' },
  ]
  const base = {
    projects,
    userId: 'ada',
    now: testNow,
    bars: '24h',
    limit: 100,
    timeLimitMs: 60_000,
  } as const
  const find = async (text: string, sort: (typeof issueSorts)[number] = 'last_seen') => {
    const { parts, problems } = parseSearch(text)
    expect({ text, problems }).toEqual({ text, problems: [] })
    const page = await listIssues(store.db, {
      ...base,
      expression: toExpression({ parts }),
      statuses: issueStatuses,
      sort,
    })
    return page.issues.map(({ id }) => id).toSorted()
  }
  return { find }
}

const parts = [
  'region:aa',
  'region:a*',
  'region:*b',
  'region:[aa, bb, c*]',
  'region:nowhere',
  'has:rare',
  'rare:a',
  'level:fatal',
  'is:unresolved',
  'is:[resolved, archived]',
  'is:ongoing',
  'project:web',
  'project:a*',
  'project:nowhere',
  'environment:prod',
  'environment:*ging',
  'platform:python',
  'error.unhandled:true',
  'error.handled:true',
  'assigned:me',
  'assigned:[none]',
  'assigned:ada',
  'AError',
  'title:BError',
  '"cannot a"',
  'cannot',
  '*not*the*',
  'culprit:c',
  'firstSeen:-24h',
  'lastSeen:+12h',
  'timestamp:2026-11-20',
  'timesSeen:1',
  'users:1',
  'user.id:3',
  'release:shop@1.4.0',
  'release:latest',
  'release.version:>=1.4',
  'release.package:shop',
  'firstRelease:*1.2.0',
  'issue.priority:high',
  'issue:WEB-3',
  `id:${testId('event 5')}`,
  `trace:${testId('trace 1')}`,
]

const expression = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...parts),
    fc.constantFrom(...parts).map((part) => `!${part}`),
    fc.tuple(tie('any'), tie('any')).map(([one, other]) => `(${one} ${other})`),
    fc.tuple(tie('any'), tie('any')).map(([one, other]) => `(${one} OR ${other})`),
    tie('any').map((inner) => `!(${inner})`),
  ),
})).any

const fits = (text: string) => parseSearch(text).problems.length === 0

describe('a search', () => {
  it('follows the meaning of "and", "or" and "not", whichever index drives it', async () => {
    const { find } = await openMixture()
    const all = await find('')
    expect(all).toHaveLength(54)
    await fc.assert(
      fc.asyncProperty(expression, expression, fc.constantFrom(...issueSorts), async (one, other, sort) => {
        fc.pre(fits(`(${one}) OR (${other})`))
        const [a, b] = [new Set(await find(one, sort)), new Set(await find(other))]
        expect(await find(`!(${one})`)).toEqual(all.filter((id) => !a.has(id)))
        expect(await find(`(${one}) (${other})`, sort)).toEqual(all.filter((id) => a.has(id) && b.has(id)))
        expect(await find(`(${one}) OR (${other})`, sort)).toEqual(all.filter((id) => a.has(id) || b.has(id)))
        // Below two negations no index can be used.
        expect(await find(`!(!(${one}) OR !(${other}))`)).toEqual(all.filter((id) => a.has(id) && b.has(id)))
      }),
      { numRuns: onPostgres ? 20 : 60 },
    )
  }, 60_000)

  it('for each of these parts finds some issues', async () => {
    const { find } = await openMixture()
    for (const part of parts.filter((each) => !each.includes('nowhere')))
      expect({ part, found: await find(part) }).not.toEqual({ part, found: [] })
  })

  it('returns a result for any word with its sample', async () => {
    const { find } = await openMixture()
    for (const { word, sample, values = [] } of searchWords) {
      for (const value of [...values, ...(sample === undefined ? [] : [sample])]) {
        const found = await find(`${word}:${value}`)
        const others = await find(`!${word}:${value}`)
        const all = await find('')
        expect({ word, value, all: [...found, ...others].toSorted() }).toEqual({ word, value, all })
      }
    }
  })
})
