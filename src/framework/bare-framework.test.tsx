import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
import { attachRouterServerSsrUtils } from '@tanstack/react-router/ssr/server'
import { Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'

/** Bugs of the frameworks. If a test fails here, its workaround can be removed: see README.md. */

afterEach(() => {
  vi.restoreAllMocks()
})

function createBareRouter() {
  const routeTree = createRootRoute({ component: () => null })
  const history = createMemoryHistory({ initialEntries: ['/'] })
  return createRouter({ routeTree, history, isServer: true })
}

function Broken(): never {
  throw new Error('while rendering')
}

it('the router only prints errors of its event listeners', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  const thrown = new Error('in a listener')
  const router = createBareRouter()
  router.subscribe('onBeforeNavigate', () => {
    throw thrown
  })
  await router.load()
  expect(print.mock.calls.flat()).toContain(thrown)
})

it('the router returns its hydration scripts for the first render only', async () => {
  const router = createBareRouter()
  attachRouterServerSsrUtils({ router, manifest: undefined })
  await router.load()
  await router.serverSsr?.dehydrate()
  const take = () => router.serverSsr?.takeInitialHydrationScriptTags()
  expect(take()).toBeDefined()
  expect(take()).toBeUndefined()
  router.serverSsr?.cleanup()
})

it('React marks a component that throws for the browser, and does not throw', () => {
  const html = renderToString(
    <Suspense>
      <Broken />
    </Suspense>,
  )
  expect(html).toContain('<!--$!-->')
})

it('the cache gives the function of a query a getter', async () => {
  const queryFn = vi.fn<(context: object) => string[]>((context) =>
    Object.keys(Object.getOwnPropertyDescriptor(context, 'signal') ?? {}),
  )
  expect(await new QueryClient().query({ queryKey: ['names'], queryFn })).toContain('get')
})
