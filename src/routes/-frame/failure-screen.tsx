import { rootRouteId, useMatch, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { FailurePage } from '#components/failure/failure-page.tsx'
import { AppShell } from '#components/layout/app-shell.tsx'
import { PageHeader } from '#components/layout/page-header.tsx'
import { failureOf } from '#monitoring/failure-of.ts'
import { release } from '#monitoring/release.ts'
import { failedOffline } from '#navigation/connection.ts'

interface FailureScreenProps {
  error: unknown
  /** The page that exceeded the time limit, if the router does not have its URL yet. */
  timedOutUrl?: string
  /** Replaces the action of "Try again". */
  onRetry?: () => void
}

/**
 * The failure page inside the application's frame: for an error of one screen. "Try again" loads its data
 * again. A page that failed to load offline is not an error: the screen reports that, and loads the page when
 * the network is available again.
 */
export function FailureScreen({ error, timedOutUrl, onRetry }: FailureScreenProps) {
  const router = useRouter()
  const isSignedIn = useMatch({
    from: rootRouteId,
    // If the frame itself failed, there is no data.
    select: ({ loaderData }) => loaderData?.viewer !== undefined,
  })
  const [failure] = useState(() => (failedOffline(error) ? undefined : failureOf(error)))
  // The line above the page says what happens next.
  if (failure === undefined) return <PageHeader title="You’re offline" />
  return (
    <FailurePage
      side={failure.side}
      digest={failure.digest}
      at={failure.at}
      isUnavailable={failure.isUnavailable}
      isSignedIn={isSignedIn}
      onRetry={onRetry ?? (() => void router.invalidate())}
      {...(failure.isTimeout && { timedOutUrl: timedOutUrl ?? router.state.location.href })}
    />
  )
}

/** The failure page if the frame itself failed. */
export function FailureDocument({ error }: { error: unknown }) {
  return (
    <AppShell release={release}>
      <FailureScreen error={error} />
    </AppShell>
  )
}
