import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'

/**
 * Caches the result of `read` for the last `limits.cachedUserAgents` user agents: few of them are
 * frequent, and parsing one takes two dozen patterns.
 */
export function cacheByAgent<Result>(read: (userAgent: string) => Result): (userAgent: string) => Result {
  const cached = new BoundedMap<string, Result>(limits.cachedUserAgents)
  return (userAgent) => {
    if (userAgent.length > limits.userAgentCharacters) return read(userAgent)
    return cached.getOrCreate(userAgent, () => read(userAgent))
  }
}
