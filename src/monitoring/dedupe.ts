import { dedupeIntegration } from '@sentry/tanstackstart-react'

/**
 * Drops an event that equals the previous one, except errors with the given mechanism. Those have a digest:
 * React may render a failing page twice, each time with another error, and the page shows the second digest.
 */
export function dedupeExcept(mechanismType: string): ReturnType<typeof dedupeIntegration> {
  const dedupe = dedupeIntegration()
  return {
    ...dedupe,
    processEvent: (event, hint, client) =>
      event.exception?.values?.some(({ mechanism }) => mechanism?.type === mechanismType)
        ? event
        : (dedupe.processEvent?.(event, hint, client) ?? null),
  }
}
