import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { dehydrateQueries, pageDataAdapter, pageDataScript } from './page-data.ts'

const hostile = '</script><!--<script>\u2028 “…” '

function createPage() {
  const queryClient = new QueryClient()
  const view = { issue: { title: hostile }, absent: undefined, counts: [0, 1] }
  queryClient.setQueryData(['issues', 'one', '7'], view)
  queryClient.setQueryData(['words'], 'a text')
  return { queryClient, view, state: dehydrateQueries(queryClient) }
}

it('the script of a page has the data of its queries, and no tag can begin in it', () => {
  const { queryClient } = createPage()
  const text = pageDataScript(queryClient)
  expect(text).not.toContain('<')
  expect(JSON.parse(text)).toEqual({
    '["issues","one","7"]': { issue: { title: hostile }, counts: [0, 1] },
  })
})

it('data of a query are replaced by a reference, and no other object is', () => {
  const { view, state } = createPage()
  expect(pageDataAdapter.test(view)).toBe(true)
  expect(pageDataAdapter.toSerializable(view)).toBe('["issues","one","7"]')
  for (const other of [state, view.issue, { ...view }, null, 'a text']) {
    expect(pageDataAdapter.test(other)).toBe(false)
  }
})

it('a page without data has an empty script', () => {
  expect(pageDataScript(new QueryClient())).toBe('{}')
})
