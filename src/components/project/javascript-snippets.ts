import type { SetupStep } from './setup-step.ts'

/** A page without a framework, or with one without its own SDK. */
export function browserSteps(dsn: string): SetupStep[] {
  return [
    { label: 'Shell', code: 'npm install @sentry/browser@10' },
    {
      label: 'src/main.ts, before anything else',
      code: `import * as Sentry from '@sentry/browser'

Sentry.init({
  dsn: '${dsn}',
  // release: 'shop@1.4.0',
})`,
    },
    { label: 'Try it', code: `setTimeout(() => {\n  throw new Error('First event from the browser')\n})` },
  ]
}

/** A Node.js server; `--import` lets the SDK see modules before they load. */
export function nodeSteps(dsn: string): SetupStep[] {
  return [
    { label: 'Shell', code: 'npm install @sentry/node@10' },
    {
      label: 'instrument.mjs',
      code: `import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: '${dsn}',
  // release: 'api@1.4.0',
})`,
    },
    { label: 'Start it', code: 'node --import ./instrument.mjs server.mjs' },
    { label: 'Try it', code: `setTimeout(() => {\n  throw new Error('First event from Node.js')\n})` },
  ]
}
