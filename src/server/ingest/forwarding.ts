import type { ProjectKey } from '#server/store/projects/projects.ts'
import type { Upstream } from '#server/store/upstreams/upstreams.ts'
import { wasForwarded } from './envelope/forwarded-envelope.ts'

/** How an envelope is forwarded. */
export interface Forwarding {
  upstreams: readonly Upstream[]
  /** The complete envelope as it was received; absent if an endpoint created it. */
  bytes: Uint8Array | undefined
  isStoredHere: boolean
  /** Upstreams whose rate limits the answer advertises. */
  advertisedFor: readonly string[]
}

interface ForwardedRequest {
  header: (name: string) => string | undefined
  key: ProjectKey
  bytes?: Uint8Array | undefined
  /** The upstream that the sender addressed. */
  upstreamId?: string | undefined
}

/**
 * The forwarding of a request; undefined if its project has no active upstream, or the envelope has been
 * forwarded before. An upstream's limits are advertised to senders that address it, and to all senders if
 * only this upstream accepts the envelope. Other senders would drop events that Culvert stores.
 */
export function findForwarding({ header, key, bytes, upstreamId }: ForwardedRequest): Forwarding | undefined {
  const upstreams = key.upstreams.filter(({ isRetired }) => !isRetired)
  const [first, second] = upstreams
  if (first === undefined || wasForwarded(header)) return undefined
  const { isStoredHere } = key.settings.forwarding
  const only = isStoredHere || second !== undefined ? [] : [first.upstreamId]
  return { upstreams, isStoredHere, bytes, advertisedFor: upstreamId === undefined ? only : [upstreamId] }
}
