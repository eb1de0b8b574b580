import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'

/**
 * Caches the result of `read` for the last `limits.rememberedUserAgents` user agents: few of them are
 * frequent, and parsing one takes two dozen patterns.
 */
export function rememberAgents<Result>(read: (userAgent: string) => Result): (userAgent: string) => Result {
  const remembered = new BoundedMap<string, Result>(limits.rememberedUserAgents)
  return (userAgent) => {
    if (userAgent.length > limits.userAgentCharacters) return read(userAgent)
    return remembered.getOrCreate(userAgent, () => read(userAgent))
  }
}
