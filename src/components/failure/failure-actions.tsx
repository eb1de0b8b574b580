import { useHydrated } from '#components/ui/use-hydrated.ts'

/**
 * The next steps after a failure. An empty `href` is the same URL with its query, so retrying works without
 * JavaScript; going back does not, and the link to the issues replaces it. Plain links, because the router
 * may have failed.
 */
export function FailureActions({ onRetry, retryUrl = '' }: { onRetry?: () => void; retryUrl?: string }) {
  const isHydrated = useHydrated()
  return (
    <p className="failure-actions">
      {isHydrated && onRetry !== undefined ? (
        <button type="button" className="button" data-tone="primary" onClick={onRetry}>
          Try again
        </button>
      ) : (
        <a href={retryUrl} className="button" data-tone="primary">
          Try again
        </a>
      )}
      {isHydrated ? (
        <button type="button" className="button" onClick={() => window.history.back()}>
          Go back
        </button>
      ) : (
        <a href="/issues" className="button">
          Go to the issues
        </a>
      )}
    </p>
  )
}
