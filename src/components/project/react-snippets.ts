import type { SetupStep } from './setup-step.ts'

/**
 * React in the browser. No `onCaughtError`: it would capture an error before the boundary does, and the SDK
 * sends an error once, so the event id of the boundary would not exist.
 */
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
  // An error that happens again is sent again, since it has a digest of its own.
  integrations: (defaults) => defaults.filter(({ name }) => name !== 'Dedupe'),
})

createRoot(document.querySelector('#root')!, {
  onUncaughtError: Sentry.reactErrorHandler(),
  onRecoverableError: Sentry.reactErrorHandler(),
}).render(
  <Sentry.ErrorBoundary
    fallback={({ eventId, resetError }) => (
      <main role="alert">
        <h1>Application error</h1>
        <p>Digest: {eventId.slice(0, 12)}</p>
        <button onClick={resetError}>Try again</button>
      </main>
    )}
  >
    <App />
  </Sentry.ErrorBoundary>,
)`,
    },
    {
      label: 'Try it',
      code: `<button onClick={() => { throw new Error('First event from React') }}>Break</button>`,
    },
  ]
}

/**
 * TanStack Start, on every host: one file starts the SDK on both sides. The middlewares of the SDK and the
 * adapter may all capture the same error; the digest is derived from the event that the SDK sends.
 */
export function tanstackStartSteps(dsn: string): SetupStep[] {
  return [
    { label: 'Shell', code: 'npm install @sentry/tanstackstart-react@10' },
    {
      label: 'src/sentry.ts',
      code: `import * as Sentry from '@sentry/tanstackstart-react'

Sentry.init({
  dsn: '${dsn}',
  // release: 'shop@1.4.0',
  // An error that happens again is sent again, since it has a digest of its own.
  integrations: (defaults) => defaults.filter(({ name }) => name !== 'Dedupe'),
})

// The digest of an error is the first 12 digits of its event's id, whichever code captured it.
Sentry.getClient()?.on('preprocessEvent', (event, hint) => {
  const error = hint?.originalException
  if (error instanceof Error) Object.assign(error, { digest: event.event_id?.slice(0, 12) })
})

/** Returns the digest of an error. Captures the error first if nothing has captured it. */
export function digestOf(error: unknown): string {
  const { digest } = Object(error) as { digest?: string }
  return digest ?? Sentry.captureException(error).slice(0, 12)
}`,
    },
    {
      label: 'src/failure-page.tsx',
      code: `import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { digestOf } from './sentry'

export function FailurePage({ error }: { error: unknown }) {
  const router = useRouter()
  const [digest, setDigest] = useState((Object(error) as { digest?: string }).digest)
  // In an effect, because React may render a page that fails more than once.
  useEffect(() => setDigest(digestOf(error)), [error])
  return (
    <main role="alert">
      <h1>Application error</h1>
      <p>Digest: {digest}</p>
      <button onClick={() => router.invalidate()}>Try again</button>
    </main>
  )
}`,
    },
    {
      label: 'src/start.ts',
      code: `import { sentryGlobalFunctionMiddleware, sentryGlobalRequestMiddleware } from '@sentry/tanstackstart-react'
import { createSerializationAdapter } from '@tanstack/react-router'
import { createCsrfMiddleware, createStart } from '@tanstack/react-start'
import { digestOf } from './sentry'

const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' })

// The browser gets the digest of an error on the server, and not its message.
const serverErrors = createSerializationAdapter({
  key: 'server-error',
  test: (value): value is Error => value instanceof Error,
  toSerializable: (error) => ({ digest: digestOf(error) }),
  fromSerializable: ({ digest }): Error => Object.assign(new Error('An error on the server'), { digest }),
})

export const startInstance = createStart(() => ({
  requestMiddleware: [sentryGlobalRequestMiddleware, csrf],
  functionMiddleware: [sentryGlobalFunctionMiddleware],
  serializationAdapters: [serverErrors],
}))`,
    },
    {
      label: 'src/router.tsx',
      code: `import './sentry'
import { createRouter } from '@tanstack/react-router'
import { FailurePage } from './failure-page'
import { routeTree } from './routeTree.gen'

export function getRouter() {
  return createRouter({ routeTree, defaultErrorComponent: FailurePage })
}`,
    },
  ]
}

/**
 * Next.js with the App Router. Where webpack builds the application, the SDK wraps server components and
 * captures their errors before Next.js computes the digest, so the guide disables that.
 */
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
  Sentry.init({
    dsn: '${dsn}',
    // The digest that Next.js shows leads to the event.
    beforeSend(event, { originalException }) {
      const { digest } = Object(originalException) as { digest?: string }
      if (digest) event.tags = { ...event.tags, digest }
      return event
    },
  })
}

export const onRequestError = Sentry.captureRequestError`,
    },
    {
      label: 'app/global-error.tsx',
      code: `'use client'
import * as Sentry from '@sentry/nextjs'
import { useEffect, useRef, useState } from 'react'

type Props = { error: Error & { digest?: string }; reset: () => void }

export default function GlobalError({ error, reset }: Props) {
  const [digest, setDigest] = useState<string>()
  const captured = useRef<Error>(undefined)
  useEffect(() => {
    // An error with a digest is from the server, which has captured it.
    if (error.digest || captured.current === error) return
    captured.current = error
    setDigest(Sentry.captureException(error).slice(0, 12))
  }, [error])
  return (
    <html lang="en">
      <body>
        <h1>Application error</h1>
        <p>Digest: {error.digest ?? digest}</p>
        <button onClick={reset}>Try again</button>
      </body>
    </html>
  )
}`,
    },
    {
      label: 'next.config.ts',
      code: `import { withSentryConfig } from '@sentry/nextjs'

const nextConfig = {}

export default withSentryConfig(nextConfig, {
  telemetry: false,
  sourcemaps: { disable: true },
  // onRequestError reports errors of the app directory with their digest; wrapped components do not.
  webpack: { autoInstrumentAppDirectory: false },
})`,
    },
  ]
}
