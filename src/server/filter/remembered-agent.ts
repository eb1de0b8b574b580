import { limits } from '#server/limits.ts'

/**
 * Caches the result of `read` for the last `limits.rememberedUserAgents` user agents: few of them repeat often,
 * and parsing one takes two dozen patterns.
 */
export function rememberAgents<Result>(read: (userAgent: string) => Result): (userAgent: string) => Result {
  const remembered = new Map<string, { result: Result }>()
  return (userAgent) => {
    const known = remembered.get(userAgent)
    if (known !== undefined) return known.result
    const result = read(userAgent)
    if (userAgent.length > limits.userAgentCharacters) return result
    if (remembered.size >= limits.rememberedUserAgents) remembered.clear()
    remembered.set(userAgent, { result })
    return result
  }
}
