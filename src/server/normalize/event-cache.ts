import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import { FrameCache } from './frame-cache.ts'
import { TextBlocks } from './text-blocks.ts'
import { parseUserAgent, type UserAgentContexts } from './user-agent.ts'

/**
 * Caches results that many events share. It only saves time: normalizing and scrubbing return equal results
 * without it. `npm run bench -- processing` measures its effect.
 */
export class EventCache {
  readonly frames = new FrameCache()
  /** Encodes the payloads that scrubbing has changed. */
  readonly texts = new TextBlocks()
  /** Parsing takes 0.1 ms, up to 2 ms for a hostile header (measured), and most events have few agents. */
  private readonly userAgents = new BoundedMap<string, UserAgentContexts>(limits.cachedUserAgents)

  /** Parses a `User-Agent` header. The contexts are shared: do not modify them. */
  userAgentContexts(userAgent: string): UserAgentContexts {
    const text = userAgent.slice(0, limits.userAgentCharacters)
    return this.userAgents.getOrCreate(text, () => parseUserAgent(text))
  }
}
