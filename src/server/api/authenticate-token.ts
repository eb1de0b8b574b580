import { isTokenScope, type TokenScope } from '#server/auth/token-scopes.ts'
import { findUserViewer } from '#server/auth/user-viewer.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { TokenRateLimit } from '#server/rate-limit/token-rate-limiter.ts'
import { findApiToken, noteTokenUse } from '#server/store/accounts/api-tokens.ts'
import { errorAnswer, type ApiAnswer } from './api-answer.ts'
import type { ApiServices } from './api-route.ts'

/** The owner of a valid token that is within its rate limit. */
export interface TokenCaller {
  ok: true
  viewer: Viewer
  scopes: readonly TokenScope[]
  /** Headers of the response: the rate limit. */
  headers: Record<string, string>
}

/** Authenticates a request by its token and counts it: 401 without a valid one, 429 beyond the rate limit. */
export async function authenticateToken(
  services: Pick<ApiServices, 'store' | 'clock' | 'tokenRateLimiter'>,
  headers: Headers,
): Promise<TokenCaller | { ok: false; error: ApiAnswer }> {
  const token = parseBearer(headers.get('authorization'))
  if (token === undefined) return rejected(errorAnswer(401, 'Authentication credentials were not provided.'))
  const known = await findApiToken(services.store.db, token)
  const viewer = known && (await findUserViewer(services.store, known.userId))
  if (known === undefined || viewer === undefined) return rejected(errorAnswer(401, 'Invalid token'))
  const rate = services.tokenRateLimiter.take(known.id, performance.now())
  const limitHeaders = rateLimitHeaders(rate, services.clock())
  if (rate.waitMs > 0) return rejected(tooManyRequests(rate.waitMs, limitHeaders))
  await noteTokenUse(services.store, known)
  return { ok: true, viewer, scopes: known.scopes.filter(isTokenScope), headers: limitHeaders }
}

function rejected(error: ApiAnswer): { ok: false; error: ApiAnswer } {
  return { ok: false, error }
}

/** `Bearer …`, or `Token …` from older clients. */
function parseBearer(header: string | null): string | undefined {
  return /^(?:Bearer|Token) +([\w.~+/=-]{1,500})$/i.exec(header ?? '')?.[1]
}

/** Sentry's rate limit headers, which clients use to slow down. */
function rateLimitHeaders({ remaining, fullInMs }: TokenRateLimit, now: number): Record<string, string> {
  return {
    'x-sentry-rate-limit-limit': String(limits.apiRateLimit.quantity),
    'x-sentry-rate-limit-remaining': String(remaining),
    'x-sentry-rate-limit-reset': String(Math.ceil((now + fullInMs) / 1000)),
  }
}

function tooManyRequests(waitMs: number, limitHeaders: Record<string, string>): ApiAnswer {
  const { quantity, windowSeconds } = limits.apiRateLimit
  const detail = `You are attempting to use this endpoint too frequently. Limit is ${quantity} requests in ${windowSeconds} seconds`
  const headers = { ...limitHeaders, 'retry-after': String(Math.ceil(waitMs / 1000)) }
  return { ...errorAnswer(429, detail), headers }
}
