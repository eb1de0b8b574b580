import { isTokenScope } from '#server/auth/token-scopes.ts'
import { findUserViewer } from '#server/auth/user-viewer.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { answerDownload } from '#server/http/answer/download-answer.ts'
import { apiBase } from '#server/http/api-path.ts'
import { limits } from '#server/limits.ts'
import { findApiToken, noteTokenUse, type KnownToken } from '#server/store/accounts/api-tokens.ts'
import { ReadTimeoutError } from '#server/store/engine/sqlite/paced-lock.ts'
import { answer, notFoundAnswer, errorAnswer, type ApiAnswer } from './api-answer.ts'
import type { ApiServices } from './api-route.ts'
import { apiRoutes } from './api-routes.ts'
import { matchRoute } from './match-route.ts'
import { createOpenApiDocument } from './openapi.ts'
import { readSentJson } from './read-body.ts'
import { readSentForm } from './read-form.ts'
import { createTokenRateLimiter, type TokenRateLimit, type TokenRateLimiter } from './token-rate-limiter.ts'

/**
 * Handles a request to `/api/0/…`. Only a token authenticates it: session cookies are ignored, which prevents
 * CSRF. Rejects on a bug and when the store is not readable or writable.
 */
export async function handleApiRequest(services: ApiServices, request: Request): Promise<Response> {
  const url = new URL(request.url)
  const path = url.pathname.slice(apiBase.length) || '/'
  const found =
    path === '/openapi.json' && request.method === 'GET'
      ? answer(createOpenApiDocument(services.publicOrigin))
      : await answerInTime(services, request, { url, path })
  const { status, body, headers, file } = found
  if (file !== undefined) return answerDownload(file)
  const own = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers }
  return body === undefined
    ? new Response(null, { status, headers: own })
    : Response.json(body, { status, headers: own })
}

/** `Retry-After` of a request that an overloaded server rejects. */
const retryAfterSeconds = 5

async function answerInTime(
  services: ApiServices,
  request: Request,
  place: { url: URL; path: string },
): Promise<ApiAnswer> {
  try {
    return await answerCall(services, request, place)
  } catch (thrown) {
    if (!(thrown instanceof ReadTimeoutError)) throw thrown
    const detail = 'The server has more to read than it can at the moment. Try again in a few seconds.'
    return { ...errorAnswer(503, detail), headers: { 'retry-after': String(retryAfterSeconds) } }
  }
}

async function answerCall(
  services: ApiServices,
  request: Request,
  { url, path }: { url: URL; path: string },
): Promise<ApiAnswer> {
  const token = parseBearer(request.headers.get('authorization'))
  if (token === undefined) return errorAnswer(401, 'Authentication credentials were not provided.')
  const known = await findApiToken(services.store.db, token)
  const viewer = known && (await findUserViewer(services.store, known.userId))
  if (known === undefined || viewer === undefined) return errorAnswer(401, 'Invalid token')
  const turn = turnsOf(services.store).take(known.id, performance.now())
  const found =
    turn.waitMs > 0
      ? tooManyRequests(turn.waitMs)
      : await answerKnown(services, request, { url, path, viewer, token: known })
  return { ...found, headers: { ...found.headers, ...rateLimitHeaders(turn, services.clock()) } }
}

interface KnownCall {
  url: URL
  path: string
  viewer: Viewer
  token: KnownToken
}

async function answerKnown(
  services: ApiServices,
  request: Request,
  { url, path, viewer, token }: KnownCall,
): Promise<ApiAnswer> {
  await noteTokenUse(services.store, token)
  const match = matchRoute(apiRoutes, request.method === 'HEAD' ? 'GET' : request.method, path)
  if (match.kind === 'none') return notFoundAnswer
  if (match.kind === 'other-method') {
    const allow = match.methods.join(', ')
    return { ...errorAnswer(405, `Method "${request.method}" not allowed.`), headers: { allow } }
  }
  const { route, params } = match
  const scopes = token.scopes.filter(isTokenScope)
  if (route.scope !== undefined && !scopes.includes(route.scope)) {
    return errorAnswer(
      403,
      `You do not have permission to perform this action: the token lacks ${route.scope}.`,
    )
  }
  const isRead = route.method === 'GET'
  const found = await route.handle({
    services: isRead ? await services.reads.servicesFor(services, viewer) : services,
    viewer,
    scopes,
    url,
    params,
    readBody: () => readSentJson(request),
    readForm: (maxBytes) => readSentForm(request, maxBytes),
  })
  if (!isRead) await services.reads.noteWrite(viewer.userId)
  return found
}

/** `Bearer …`, or `Token …` as older clients write it. */
function parseBearer(header: string | null): string | undefined {
  return /^(?:Bearer|Token) +([\w.~+/=-]{1,500})$/i.exec(header ?? '')?.[1]
}

/** One entry per store, because a process can run several servers. */
const turnsOfStores = new WeakMap<ApiServices['store'], TokenRateLimiter>()

function turnsOf(store: ApiServices['store']): TokenRateLimiter {
  const known = turnsOfStores.get(store) ?? createTokenRateLimiter()
  turnsOfStores.set(store, known)
  return known
}

/** Sentry's rate limit headers, which clients use to slow down. */
function rateLimitHeaders({ remaining, fullInMs }: TokenRateLimit, now: number): Record<string, string> {
  return {
    'x-sentry-rate-limit-limit': String(limits.apiRateLimit.quantity),
    'x-sentry-rate-limit-remaining': String(remaining),
    'x-sentry-rate-limit-reset': String(Math.ceil((now + fullInMs) / 1000)),
  }
}

function tooManyRequests(waitMs: number): ApiAnswer {
  const { quantity, windowSeconds } = limits.apiRateLimit
  const detail = `You are attempting to use this endpoint too frequently. Limit is ${quantity} requests in ${windowSeconds} seconds`
  return { ...errorAnswer(429, detail), headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } }
}
