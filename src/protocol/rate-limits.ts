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

/** A limit that a server told of: no more of these categories for so long. */
export interface HeardRateLimit {
  retryAfterSeconds: number
  /** Relay's data categories; none of them named means all. */
  categories: string[]
}

/**
 * Reads `X-Sentry-Rate-Limits`. An entry whose seconds cannot be read is passed over, and so is one that is limited to
 * metric namespaces, which says nothing of other items.
 */
export function parseRateLimits(text: string): HeardRateLimit[] {
  return text.split(',').flatMap((entry) => {
    const [seconds = '', categories = '', , , namespaces = ''] = entry.trim().split(':')
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
