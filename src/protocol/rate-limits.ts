/** A limit that is in force, as a client is told of it. */
export interface ToldRateLimit {
  /** Seconds until more is taken; whole ones. */
  retryAfterSeconds: number
  /** Relay's data category; `all` for every one. */
  category: string
  /** What the limit is on. Relay and SDKs know no other words, and Relay forgets a limit on anything else. */
  scope: 'organization' | 'project' | 'key'
  /** A word for people who read headers. */
  reason: string
}

/**
 * The value of `X-Sentry-Rate-Limits`: `60:error:key:key_limit, 5::project:project_limit`. SDKs hold back what it names
 * whatever the status is (develop docs, "Rate Limiting").
 */
export function formatRateLimits(told: readonly ToldRateLimit[]): string {
  return told
    .map(
      ({ retryAfterSeconds, category, scope, reason }) =>
        `${retryAfterSeconds}:${categoryNames(category)}:${scope}:${reason}`,
    )
    .join(', ')
}

function categoryNames(category: string): string {
  if (category === 'all') return ''
  // SDKs of version 10 call it `metric`; a name that an SDK does not know is passed over.
  return category === 'trace_metric' ? 'trace_metric;metric' : category
}
