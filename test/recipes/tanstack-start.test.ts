import { expect, it } from 'vitest'
import { buildDsn } from './support/built-app.ts'
import { describeApp, serveRecipeWorld } from './support/describe-app.ts'
import { expectInstalls, readGuide } from './support/guides.ts'
import type { Visit } from './support/visits.ts'

const guide = readGuide('start', buildDsn)
const world = serveRecipeWorld()

const visits: Visit[] = [
  { name: 'a server function, loaded', page: '/function', events: ['node'] },
  {
    name: 'a server function, loaded and tried again',
    page: '/function',
    retries: 1,
    events: ['node', 'node'],
  },
  {
    name: 'a server function, by a link and tried again',
    page: '/function',
    isNavigation: true,
    retries: 1,
    events: ['node', 'node'],
  },
  {
    name: 'a server function, without JavaScript',
    page: '/function',
    isWithoutScripts: true,
    events: ['node'],
  },
  { name: 'a loader, loaded', page: '/load', events: ['node'] },
  { name: 'a loader, by a link', page: '/load', isNavigation: true, events: ['javascript'] },
  { name: 'a loader, without JavaScript', page: '/load', isWithoutScripts: true, events: ['node'] },
  { name: 'beforeLoad, loaded', page: '/before', events: ['node'] },
  { name: 'beforeLoad, by a link', page: '/before', isNavigation: true, events: ['javascript'] },
  {
    name: 'a loader in the browser, tried again',
    page: '/browser-load',
    isNavigation: true,
    retries: 2,
    events: ['javascript', 'javascript', 'javascript'],
  },
  { name: 'a component in the browser, loaded', page: '/render', events: ['javascript'] },
  {
    name: 'a component in the browser, by a link and tried again',
    page: '/render',
    isNavigation: true,
    retries: 2,
    events: ['javascript', 'javascript', 'javascript'],
  },
  { name: 'a component on both sides, loaded', page: '/both', events: ['javascript'] },
  {
    name: 'a component on both sides, without JavaScript',
    page: '/both',
    isWithoutScripts: true,
    showsDigest: false,
    events: [],
  },
  { name: 'a component on both sides, by a link', page: '/both', isNavigation: true, events: ['javascript'] },
  { name: 'a click', page: '/click', button: 'Break', events: ['javascript'] },
]

const withRoute: Visit[] = [
  ...visits,
  { name: 'a server route', page: '/endpoint', showsDigest: false, events: ['node'] },
]
const withoutRoute: Visit[] = [
  ...visits,
  { name: 'a server route', page: '/endpoint', showsDigest: false, events: [] },
]

/**
 * The guide's files without the middlewares of the SDK, which docs/digest.md calls optional, and with traces
 * of every request, as docs/traces.md describes.
 */
const withoutMiddlewares = {
  ...guide.files,
  'src/sentry.ts': (guide.files['src/sentry.ts'] ?? '').replace(
    'Sentry.init({',
    'Sentry.init({ tracesSampleRate: 1,',
  ),
  'src/router.tsx': `import * as Sentry from '@sentry/tanstackstart-react'
${(guide.files['src/router.tsx'] ?? '').replace(
  /return (createRouter\(.*\))/,
  `const router = $1
  if (!router.isServer) Sentry.addIntegration(Sentry.tanstackRouterBrowserTracingIntegration(router))
  return router`,
)}`,
  'src/start.ts': (guide.files['src/start.ts'] ?? '')
    .replace(/^import \{ sentryGlobal.*\n/, '')
    .replace('sentryGlobalRequestMiddleware, ', '')
    .replace(/ {2}functionMiddleware: .*\n/, ''),
}

const check = ['tsc', '--noEmit']

describeApp(
  {
    title: 'TanStack Start on Nitro',
    isFull: true,
    source: {
      name: 'start-nitro',
      install: 'vite',
      fixture: 'start-app',
      files: guide.files,
      build: [['vite', 'build', '--config', 'vite.nitro.config.ts'], check],
      output: ['.output/server', '.output/public'],
    },
    start: () => ['node', '.output/server/index.mjs'],
    visits: withRoute,
  },
  world,
)

describeApp(
  {
    title: 'TanStack Start on srvx, without the middlewares of the SDK',
    isFull: true,
    source: {
      name: 'start-srvx',
      install: 'vite',
      fixture: 'start-app',
      files: withoutMiddlewares,
      build: [['vite', 'build'], check],
      output: ['dist/server', 'dist/client'],
    },
    start: (port) =>
      `srvx --prod --host 127.0.0.1 --port ${port} --static ../client dist/server/server.js`.split(' '),
    visits: withoutRoute,
    traced: [
      { name: 'one trace', page: '/function', isNavigation: true, events: ['node'], op: 'navigation' },
    ],
  },
  world,
)

it('the guide for TanStack Start installs the tested version', () => {
  expect(() => expectInstalls(guide, 'vite')).not.toThrow()
  expect(withoutMiddlewares['src/start.ts']).not.toContain('sentryGlobal')
})
