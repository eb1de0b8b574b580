import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link as RouterLink,
  RouterProvider,
} from '@tanstack/react-router'
import fc from 'fast-check'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { formatSearchParams, parseSearchParams } from '#navigation/search-params.ts'
import { Link } from './link.tsx'

const paths = ['/', '/issues', '/issues/$issueId', '/issues/$issueId/events', '/monitors/$project/$slug']

/** The HTML of the children on a page. */
async function renderAt(url: string, children: ReactNode): Promise<string> {
  const root = createRootRoute({ component: () => children })
  const routes = paths.map((path) => createRoute({ getParentRoute: () => root, path, component: () => null }))
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [url] }),
    isServer: true,
    parseSearch: parseSearchParams,
    stringifySearch: formatSearchParams,
  })
  await router.load()
  return renderToStaticMarkup(<RouterProvider router={router} />)
}

/** The attributes of the only link, in the order of their names. */
async function attributesAt(url: string, component: typeof Link, options: object): Promise<string[]> {
  const html = await renderAt(url, createElement(component, options, 'text'))
  const [, attributes = ''] = /^<a([^>]*)>text<\/a>$/.exec(html) ?? ['', html]
  return attributes.split(/ (?=[a-z-]+=)/).toSorted()
}

async function expectSame(url: string, options: object): Promise<void> {
  expect(await attributesAt(url, Link, options)).toEqual(await attributesAt(url, RouterLink, options))
}

describe('a link on the server', () => {
  const search = { key: 'url', value: 'https://a.b/c d?e=é&f', from: undefined, page: 2 }

  it.each([
    { to: '/issues', className: 'brand', 'aria-label': 'All' },
    { to: '/issues', search: {}, activeOptions: { exact: true } },
    { to: '/issues', search, activeOptions: { includeSearch: false }, 'data-shortcut': 'go' },
    { to: '/issues/$issueId', params: { issueId: '7' }, title: 'An “issue”' },
    { to: '/issues/$issueId', params: { issueId: 'ä/b c' } },
    { to: '/issues/$issueId', params: { issueId: '..' } },
    { to: '/issues/$issueId/events', params: { issueId: '7' }, search, tabIndex: -1 },
    { to: '/monitors/$project/$slug', params: { project: 'web-1', slug: 'nightly.job_2' } },
    { to: '.', search: { trend: '14d' }, hash: 'trend', resetScroll: false, hashScrollIntoView: false },
    { to: '/issues', hash: 'list' },
    { to: '/', search: { q: '' } },
    { to: '/issues', disabled: true },
  ])('has the attributes of the router’s: %j', async (options) => {
    await expectSame('/issues', options)
    await expectSame('/issues?page=2', options)
    await expectSame('/issues/7', options)
    await expectSame('/issues/7/events?key=url', options)
    await expectSame('/monitors/web-1/nightly.job_2', options)
  })

  it('has the address of the router’s for any parameter and search', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.dictionary(
          fc.string(),
          fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(undefined)),
        ),
        async (issueId, fields) => {
          await expectSame('/issues', { to: '/issues/$issueId/events', params: { issueId }, search: fields })
        },
      ),
      { numRuns: 60 },
    )
  })
})
