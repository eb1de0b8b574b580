import { expect, it } from 'vitest'
import { buildDsn } from './support/built-app.ts'
import { describeApp, serveRecipeWorld } from './support/describe-app.ts'
import { expectInstalls, readGuide } from './support/guides.ts'
import type { Visit } from './support/visits.ts'

const guide = readGuide('next', buildDsn)
const world = serveRecipeWorld()

const visits: Visit[] = [
  { name: 'a server component, loaded', page: '/server', events: ['node'] },
  { name: 'a server component, by a link', page: '/server', isNavigation: true, events: ['node'] },
  { name: 'a server component, tried again', page: '/server', retries: 1, events: ['node'] },
  {
    name: 'a server component, without JavaScript',
    page: '/server',
    isWithoutScripts: true,
    showsDigest: false,
    events: ['node'],
  },
  { name: 'a server action', page: '/action', button: 'Break', events: ['node'] },
  {
    name: 'a server action, without JavaScript',
    page: '/action',
    button: 'Break',
    isWithoutScripts: true,
    showsDigest: false,
    events: ['node'],
  },
  { name: 'a route handler', page: '/route', showsDigest: false, events: ['node'] },
  { name: 'a component in the browser, loaded', page: '/render', events: ['javascript'] },
  {
    name: 'a component in the browser, by a link and tried again',
    page: '/render',
    isNavigation: true,
    retries: 2,
    events: ['javascript', 'javascript', 'javascript'],
  },
  { name: 'a component on both sides, loaded', page: '/both', events: ['node', 'javascript'] },
  { name: 'a component on both sides, by a link', page: '/both', isNavigation: true, events: ['javascript'] },
  { name: 'a click', page: '/click', button: 'Break', events: ['javascript'] },
]

/** The option of SDK 10 at its location in SDK 9, and traces of every request. */
const filesForSdk9 = {
  ...Object.fromEntries(
    Object.entries(guide.files).map(([path, text]) => [
      path,
      text.replace('Sentry.init({', 'Sentry.init({ tracesSampleRate: 1,'),
    ]),
  ),
  'next.config.ts': (guide.files['next.config.ts'] ?? '').replace(
    'webpack: { autoInstrumentAppDirectory: false }',
    'autoInstrumentAppDirectory: false',
  ),
}

for (const version of ['next-16', 'next-15'] as const) {
  describeApp(
    {
      title: version,
      // Each version installs half a gigabyte.
      isFull: true,
      source: {
        name: 'app',
        install: version,
        fixture: 'next-app',
        files: version === 'next-15' ? filesForSdk9 : guide.files,
        // The webpack cache is larger than the rest of the build.
        build: [['next', 'build']],
        discarded: ['.next/cache'],
        output: ['.next/server', '.next/static'],
      },
      start: (port) => ['next', 'start', '--hostname', '127.0.0.1', '--port', String(port)],
      visits,
      ...(version === 'next-15' && {
        traced: [{ name: 'one trace', page: '/', events: [], op: 'pageload' }] as const,
      }),
    },
    world,
  )
}

it('the guide for Next.js installs the tested version; its files work with SDK 9 as well', () => {
  expect(() => expectInstalls(guide, 'next-16')).not.toThrow()
  expect(() => expectInstalls(guide, 'next-15', ['9'])).not.toThrow()
})
