import { dedupeIntegration } from '@sentry/tanstackstart-react'

/**
 * Leaves out what has just been sent, except errors with that mechanism, which have a digest: React may
 * render a page that breaks twice, each time with an error of its own, and the second one's digest is what is
 * shown.
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
