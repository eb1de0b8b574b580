import { expect, it } from 'vitest'
import { type AppSource, buildDsn } from './support/built-app.ts'
import { describeApp, serveRecipeWorld } from './support/describe-app.ts'
import { expectInstalls, readGuide } from './support/guides.ts'
import type { Visit } from './support/visits.ts'

const react = readGuide('react', buildDsn)
const vue = readGuide('vue', buildDsn)
const browser = readGuide('browser', buildDsn)
const world = serveRecipeWorld()

/** Every visit is to the same page, and each button causes another failure. */
const reactVisits: Visit[] = [
  {
    name: 'rendering, tried again',
    page: '/',
    button: 'Break rendering',
    retries: 2,
    events: ['javascript', 'javascript', 'javascript'],
  },
  {
    name: 'an effect, tried again',
    page: '/',
    button: 'Break an effect',
    retries: 1,
    events: ['javascript', 'javascript'],
  },
  {
    name: 'First event from React',
    page: '/',
    button: 'Break',
    showsDigest: false,
    events: ['javascript'],
  },
]

const vueVisits: Visit[] = [
  {
    name: 'rendering, tried again',
    page: '/',
    button: 'Break rendering',
    retries: 2,
    events: ['javascript', 'javascript', 'javascript'],
  },
  {
    name: 'a watcher, tried again',
    page: '/',
    button: 'Break a watcher',
    retries: 1,
    events: ['javascript', 'javascript'],
  },
  { name: 'First event from Vue', page: '/', button: 'Break', events: ['javascript'] },
]

const serve = (port: number) => [
  'vite',
  'preview',
  '--host',
  '127.0.0.1',
  '--port',
  String(port),
  '--strictPort',
]
const check = ['tsc', '--noEmit']

const reactSource: AppSource = {
  name: 'react',
  install: 'vite',
  fixture: 'react-app',
  files: {
    ...react.files,
    'src/try-it.tsx': `export const TryIt = () => (\n  <>\n${react.tryIt}\n  </>\n)\n`,
  },
  build: [['vite', 'build'], check],
  output: ['dist'],
}
describeApp({ title: 'React', source: reactSource, start: serve, visits: reactVisits }, world)

const mainOfReact = react.files['src/main.tsx'] ?? ''
const withCaughtErrors = mainOfReact
  .replace('  onUncaughtError', '  onCaughtError: Sentry.reactErrorHandler(),\n  onUncaughtError')
  .replace('fallback={({ eventId, ', 'fallback={({ ')
  .replace('eventId.slice', 'Sentry.lastEventId()?.slice')

describeApp(
  {
    title: 'React with onCaughtError and lastEventId()',
    isFull: true,
    source: {
      ...reactSource,
      name: 'react-caught',
      files: { ...reactSource.files, 'src/main.tsx': withCaughtErrors },
    },
    start: serve,
    visits: reactVisits,
  },
  world,
)

describeApp(
  {
    title: 'Vue',
    source: {
      name: 'vue',
      install: 'vite',
      fixture: 'vue-app',
      files: { ...vue.files, 'src/TryIt.vue': `<template>\n${vue.tryIt}\n</template>\n` },
      build: [['vite', 'build']],
      output: ['dist'],
    },
    start: serve,
    visits: vueVisits,
  },
  world,
)

describeApp(
  {
    title: 'a page without a framework',
    source: {
      name: 'browser',
      install: 'vite',
      fixture: 'browser-app',
      files: { 'src/main.ts': `${browser.files['src/main.ts']}\n${browser.tryIt}\n` },
      build: [['vite', 'build'], check],
      output: ['dist'],
    },
    start: serve,
    visits: [{ name: 'First event from the browser', page: '/', showsDigest: false, events: ['javascript'] }],
  },
  world,
)

it('the guides for React, Vue and the browser install the tested version', () => {
  for (const guide of [react, vue, browser]) expect(() => expectInstalls(guide, 'vite')).not.toThrow()
  expect(withCaughtErrors).toContain('onCaughtError')
  expect(withCaughtErrors).toContain('lastEventId')
})
