/** An active limit, as advertised to a client. */
export interface AdvertisedRateLimit {
  /** Whole seconds until the limit ends. */
  retryAfterSeconds: number
  /** Relay's data category; `all` for all categories. */
  category: string
  /** The scope of the limit. Relay and SDKs know only these, and Relay ignores others. */
  scope: 'organization' | 'project' | 'key'
  /** The reason, for readers of the header. */
  reason: string
}

/**
 * The value of `X-Sentry-Rate-Limits`: `60:error:key:key_limit, 5::project:project_limit`. SDKs pause the
 * named categories for any status (develop docs, "Rate Limiting").
 */
export function formatRateLimits(rateLimits: readonly AdvertisedRateLimit[]): string {
  return rateLimits
    .map(
      ({ retryAfterSeconds, category, scope, reason }) =>
        `${retryAfterSeconds}:${categoryNames(category)}:${scope}:${reason}`,
    )
    .join(', ')
}

function categoryNames(category: string): string {
  if (category === 'all') return ''
  // SDKs of version 10 use the name `metric`; SDKs skip unknown names.
  return category === 'trace_metric' ? 'trace_metric;metric' : category
}

/** A limit that an upstream advertised: the categories and the duration. */
export interface ReceivedRateLimit {
  retryAfterSeconds: number
  /** Relay's data categories; empty means all. */
  categories: string[]
}

/**
 * Reads `X-Sentry-Rate-Limits`. Skips entries with invalid seconds and entries that are limited to
 * metric namespaces, which do not affect other items.
 */
export function parseRateLimits(text: string): ReceivedRateLimit[] {
  return text.split(',').flatMap((entry) => {
    const [seconds = '', categories = '', , , namespaces = ''] = entry.trim().split(':', 5)
    if (!/^[0-9]{1,15}(?:\.[0-9]{1,6})?$/.test(seconds) || namespaces !== '') return []
    return {
      retryAfterSeconds: Number(seconds),
      categories: categories.split(';').flatMap((name) => toCategory(name.trim()) ?? []),
    }
  })
}

function toCategory(name: string): string | undefined {
  if (name === '') return undefined
  return name === 'metric' ? 'trace_metric' : name
}
