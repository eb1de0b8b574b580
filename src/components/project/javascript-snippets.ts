import type { SetupStep } from './sdk-snippets.ts'

/** A page without a framework, or with one that has no SDK of its own. */
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

/** React in the browser; its error handlers see what error boundaries swallow. */
export function reactSteps(dsn: string): SetupStep[] {
  return [
    { label: 'Shell', code: 'npm install @sentry/react@10' },
    {
      label: 'src/main.tsx',
      code: `import * as Sentry from '@sentry/react'
import { createRoot } from 'react-dom/client'
import { App } from './app'

Sentry.init({
  dsn: '${dsn}',
  // release: 'shop@1.4.0',
})

createRoot(document.querySelector('#root')!, {
  onUncaughtError: Sentry.reactErrorHandler(),
  onCaughtError: Sentry.reactErrorHandler(),
  onRecoverableError: Sentry.reactErrorHandler(),
}).render(<App />)`,
    },
    {
      label: 'Try it',
      code: `<button onClick={() => { throw new Error('First event from React') }}>Break</button>`,
    },
  ]
}

/** TanStack Start: browser, server, and the middleware that sees server functions and requests. */
export function tanstackStartSteps(dsn: string): SetupStep[] {
  return [
    { label: 'Shell', code: 'npm install @sentry/tanstackstart-react@10' },
    {
      label: 'src/instrument.client.ts, imported first in src/client.tsx',
      code: `import * as Sentry from '@sentry/tanstackstart-react'

Sentry.init({ dsn: '${dsn}' })`,
    },
    {
      label: 'instrument.server.mjs',
      code: `import * as Sentry from '@sentry/tanstackstart-react'

Sentry.init({ dsn: '${dsn}' })`,
    },
    {
      label: 'src/start.ts',
      code: `import { sentryGlobalFunctionMiddleware, sentryGlobalRequestMiddleware } from '@sentry/tanstackstart-react'
import { createCsrfMiddleware, createStart } from '@tanstack/react-start'

const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' })

export const startInstance = createStart(() => ({
  requestMiddleware: [sentryGlobalRequestMiddleware, csrf],
  functionMiddleware: [sentryGlobalFunctionMiddleware],
}))`,
    },
    { label: 'Start it', code: 'node --import ./instrument.server.mjs .output/server/index.mjs' },
  ]
}

/** Next.js with the App Router; the digest on its error page finds the event here. */
export function nextSteps(dsn: string): SetupStep[] {
  return [
    { label: 'Shell', code: 'npm install @sentry/nextjs@10' },
    {
      label: 'instrumentation-client.ts',
      code: `import * as Sentry from '@sentry/nextjs'

Sentry.init({ dsn: '${dsn}' })

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart`,
    },
    {
      label: 'instrumentation.ts',
      code: `import * as Sentry from '@sentry/nextjs'

export function register() {
  Sentry.init({ dsn: '${dsn}' })
}

export const onRequestError = Sentry.captureRequestError`,
    },
    {
      label: 'app/global-error.tsx',
      code: `'use client'
import * as Sentry from '@sentry/nextjs'
import { useEffect } from 'react'

export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => {
    Sentry.captureException(error)
  }, [error])
  return (
    <html lang="en">
      <body>
        <h1>Application error</h1>
        {error.digest && <p>Digest: {error.digest}</p>}
      </body>
    </html>
  )
}`,
    },
    {
      label: 'next.config.ts',
      code: `import { withSentryConfig } from '@sentry/nextjs'

export default withSentryConfig({}, { telemetry: false, sourcemaps: { disable: true } })`,
    },
  ]
}
