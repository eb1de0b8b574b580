import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { JsonObject } from '#protocol/json.ts'
import { ContextsPanel } from './contexts.tsx'

/** The HTML of feature flags, on a page of a router: links need one. */
async function renderFlags(flags: JsonObject): Promise<string> {
  const root = createRootRoute({ component: () => <ContextsPanel contexts={{ flags }} projectSlug="shop" /> })
  const issues = createRoute({ getParentRoute: () => root, path: '/issues', component: () => null })
  const history = createMemoryHistory({ initialEntries: ['/issues'] })
  const router = createRouter({ routeTree: root.addChildren([issues]), history, isServer: true })
  await router.load()
  return renderToStaticMarkup(<RouterProvider router={router} />)
}

it('shows sizes in bytes in a readable unit as well', () => {
  const device = { memory_size: 25_276_063_744, free_memory: 512, processor_count: 2 }
  const html = renderToStaticMarkup(<ContextsPanel contexts={{ device }} projectSlug="shop" />)
  expect(html).toMatch(/25276063744<\/code><span class="quiet"> 25 GB</)
  expect(html).toMatch(/512<\/code><span class="quiet"> 512 bytes</)
  expect(html).toMatch(/>2<\/code><\/dd>/)
})

it('shows a size that is not a number as it was sent', () => {
  const html = renderToStaticMarkup(
    <ContextsPanel contexts={{ device: { memory_size: '8 GB', free_memory: null } }} projectSlug="shop" />,
  )
  expect(html).not.toContain('class="quiet"')
})

it('links each feature flag to the issues with its value', async () => {
  const values = [
    { flag: 'new cart', result: true },
    { flag: 'variant', result: 'b' },
    { flag: 'limits', result: { items: 3 } },
  ]
  const html = await renderFlags({ values })
  const searches = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
    new URL(href.replaceAll('&amp;', '&'), 'http://console').searchParams.get('q'),
  )
  expect(searches).toEqual(['flags:"new cart:true"', 'flags:variant:b'])
  expect(html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')).toContain('variant b limits')
})

it.each<JsonObject>([
  { values: [{ name: 'x' }] },
  { values: [{ flag: 'x', result: true }], provider: 'own' },
])('shows other data about flags as it was sent: %j', async (context) => {
  const html = await renderFlags(context)
  for (const name of Object.keys(context)) expect(html).toContain(`<bdi>${name}</bdi>`)
  expect(html).not.toContain('href')
})
