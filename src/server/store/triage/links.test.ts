import { expect, it } from 'vitest'
import type { Store } from '#server/store/store.ts'
import { findIssueId, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { testNow } from '#test/test-store.ts'
import { listIssueLinks, recordIssueLink, recordIssueUnlink } from './links.ts'
import { recordMerge } from './merge.ts'

const actor = { userId: 'ada', at: testNow }
const link = { url: 'https://github.com/acme/shop/issues/1', name: 'acme/shop#1', ...actor }
const select = (store: Store, name: string) => ({ issueId: findIssueId(store, name) ?? 0, projectIds: [1] })

it('a link is removed from one issue with its merged issues, and remains on the others', async () => {
  const { store, receive } = await openKeptStore()
  await receive(ofIssue('own'), ofIssue('merged'), ofIssue('other'))
  const [own, merged, other] = [select(store, 'own'), select(store, 'merged'), select(store, 'other')]
  for (const issue of [merged, other]) await recordIssueLink(store, issue, link)
  const issueIds = [own.issueId, merged.issueId]
  await recordMerge(store, { issueIds, projectIds: [1] }, { ...actor, intoId: own.issueId })
  expect(await recordIssueUnlink(store, own, link)).toBe('done')
  const linksOf = ({ issueId }: { issueId: number }) => listIssueLinks(store.db, { projectId: 1, issueId })
  expect(await linksOf(own)).toEqual([])
  expect(await linksOf(other)).toMatchObject([{ name: 'acme/shop#1' }])
})
