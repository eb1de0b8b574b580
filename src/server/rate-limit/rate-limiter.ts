import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { KeySettings, ProjectSettings, RateLimits } from '#server/store/projects/settings.ts'
import { isLoopbackAddress, toClientNetwork } from './client-network.ts'
import { createRequestLimits, type LimitScope, type RequestLimits } from './request-limits.ts'
import type { TokenBucket } from './token-bucket.ts'

/** The sender: a key with its project, and the client address. */
export interface RateLimitSubject {
  key: {
    publicKey: string
    projectId: number
    settings: Pick<ProjectSettings, 'rateLimits'>
    keySettings: KeySettings
  }
  clientAddress: string | undefined
}

/** Tracks rate limits. One per composition root; each process counts its own share of them. */
export interface RateLimiter {
  /** The limits of a request; undefined if there are none. */
  limitsFor(subject: RateLimitSubject): RequestLimits | undefined
  /** Number of tracked keys, projects and addresses. */
  readonly size: number
}

/** The default limits of a client address per project. */
export const defaultAddressLimits: RateLimits = { all: limits.addressRateLimit }

/** Creates an empty limiter. `clock`: monotonic milliseconds. `processCount`: how many share it. */
export function createRateLimiter(clock: () => number, processCount: () => number = () => 1): RateLimiter {
  const ofKeys = new BoundedMap<string, Map<string, TokenBucket>>(limits.rateLimitedKeys)
  const ofProjects = new BoundedMap<string, Map<string, TokenBucket>>(limits.rateLimitedKeys)
  const ofAddresses = new BoundedMap<string, Map<string, TokenBucket>>(limits.rateLimitedAddresses)

  function scopesOf({ key, clientAddress }: RateLimitSubject): LimitScope[] {
    const { project, key: eachKey, address } = key.settings.rateLimits
    const ownLimits = isEmpty(key.keySettings.rateLimits) ? eachKey : key.keySettings.rateLimits
    const scopes: LimitScope[] = []
    if (!isEmpty(ownLimits)) {
      const buckets = ofKeys.getOrCreate(key.publicKey, createBuckets)
      scopes.push({ reason: 'key_limit', limits: ownLimits, buckets })
    }
    if (!isEmpty(project)) {
      const buckets = ofProjects.getOrCreate(String(key.projectId), createBuckets)
      scopes.push({ reason: 'project_limit', limits: project, buckets })
    }
    if (clientAddress === undefined) return scopes
    const addressLimits = address ?? (isLoopbackAddress(clientAddress) ? {} : defaultAddressLimits)
    if (!isEmpty(addressLimits)) {
      const buckets = ofAddresses.getOrCreate(
        `${key.projectId} ${toClientNetwork(clientAddress)}`,
        createBuckets,
      )
      // By default, the spans and logs of a busy server must not use up the limit of its errors.
      const countsBatches = address === undefined
      scopes.push({ reason: 'address_limit', limits: addressLimits, buckets, countsBatches })
    }
    return scopes
  }

  return {
    limitsFor(subject) {
      const scopes = scopesOf(subject)
      return scopes.length === 0
        ? undefined
        : createRequestLimits(scopes, { clock, processCount: processCount() })
    },
    get size() {
      return ofKeys.size + ofProjects.size + ofAddresses.size
    },
  }
}

function createBuckets(): Map<string, TokenBucket> {
  return new Map()
}

function isEmpty(of: RateLimits): boolean {
  for (const _ in of) return false
  return true
}
