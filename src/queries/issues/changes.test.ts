import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { findChangedQueries } from '#queries/changes/changed-data.ts'
import { issuePages } from './changes.ts'
import { issueEventsQuery, issueTagsQuery } from './events.ts'
import { issueQuery } from './list.ts'

const pagesOf = (issueId: string) => [
  issueQuery(issueId),
  issueEventsQuery(issueId, { environment: 'production' }),
  issueTagsQuery(issueId, { key: 'browser' }),
]

it('the pages of an issue are those that show it, its events and its tags, and no other issue’s', () => {
  const queryClient = new QueryClient()
  for (const { queryKey } of [...pagesOf('1'), ...pagesOf('2')])
    queryClient.getQueryCache().build(queryClient, { queryKey })
  const changed = findChangedQueries(queryClient, issuePages(['1']))
  expect(changed.map(({ queryKey }) => queryKey)).toEqual(pagesOf('1').map(({ queryKey }) => queryKey))
})
