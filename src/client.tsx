import { StartClient } from '@tanstack/react-start/client'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { watchConsoleErrors } from './framework/console-errors.ts'
import { captureClientError, watchEarlyErrors } from './monitoring/browser.ts'
import { failureOf } from './monitoring/failure-of.ts'
import { ServerFailure } from './monitoring/failure.ts'
import { failedOffline } from './navigation/connection.ts'
import { isUnreachable } from './navigation/unanswered.ts'
import { DocumentBoundary } from './routes/-frame/document-boundary.tsx'

watchEarlyErrors()
if (import.meta.env.PROD) watchConsoleErrors((thrown) => failureOf(thrown).digest)

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <DocumentBoundary>
        <StartClient />
      </DocumentBoundary>
    </StrictMode>,
    { onCaughtError: capture, onUncaughtError: capture, onRecoverableError: capture },
  )
})

function capture(thrown: unknown): void {
  // React wraps an error from which it recovered.
  const cause = thrown instanceof Error ? thrown.cause : undefined
  if (!isKnown(thrown) && !isKnown(cause)) captureClientError(thrown)
}

/** The server has captured it, or there was no network. */
function isKnown(error: unknown): boolean {
  return error instanceof ServerFailure || failedOffline(error) || isUnreachable(error)
}
