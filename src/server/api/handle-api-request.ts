import { answerDownload } from '#server/http/answer/download-answer.ts'
import { apiBase } from '#server/http/api-path.ts'
import { appConfig } from '../../../app.config.ts'
import { answer, notFoundAnswer, errorAnswer, type ApiAnswer } from './api-answer.ts'
import type { ApiServices } from './api-route.ts'
import { apiRoutes } from './api-routes.ts'
import { authenticateToken, type TokenCaller } from './authenticate-token.ts'
import { matchRoute } from './match-route.ts'
import { createOpenApiDocument } from './openapi.ts'
import { explainNotFound } from './project-scope.ts'
import { readSentJson } from './read-body.ts'
import { readSentForm } from './read-form.ts'
import { referenceFiles } from './reference-page.ts'
import { describeUnavailability } from './unavailability.ts'

/**
 * Handles a request to `/api/0/…`. Only a token authenticates it: session cookies are ignored, which prevents
 * CSRF. Answers 503 while the store cannot be used. Rejects on a bug.
 */
export async function handleApiRequest(services: ApiServices, request: Request): Promise<Response> {
  const url = new URL(request.url)
  const path = url.pathname.slice(apiBase.length) || '/'
  const file = Object.hasOwn(referenceFiles, path) ? referenceFiles[path] : undefined
  if (file !== undefined && request.method === 'GET') return file()
  const found =
    path === '/openapi.json' && request.method === 'GET'
      ? answer(createOpenApiDocument(services.publicOrigin))
      : await answerInTime(services, request, { url, path })
  const { status, body, headers, file: download } = found
  if (download !== undefined) return answerDownload(download)
  const own = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers }
  return body === undefined
    ? new Response(null, { status, headers: own })
    : Response.json(body, { status, headers: own })
}

async function answerInTime(
  services: ApiServices,
  request: Request,
  location: { url: URL; path: string },
): Promise<ApiAnswer> {
  try {
    return await answerCall(services, request, location)
  } catch (thrown) {
    const detail = describeUnavailability(thrown)
    if (detail === undefined) throw thrown
    return {
      ...errorAnswer(503, detail),
      headers: { 'retry-after': String(appConfig.unavailableRetrySeconds) },
    }
  }
}

async function answerCall(
  services: ApiServices,
  request: Request,
  { url, path }: { url: URL; path: string },
): Promise<ApiAnswer> {
  const caller = await authenticateToken(services, request.headers)
  if (!caller.ok) return caller.error
  const found = await answerCaller(services, request, { url, path, caller })
  return { ...found, headers: { ...found.headers, ...caller.headers } }
}

async function answerCaller(
  services: ApiServices,
  request: Request,
  { url, path, caller: { viewer, scopes } }: { url: URL; path: string; caller: TokenCaller },
): Promise<ApiAnswer> {
  const match = matchRoute(apiRoutes, request.method === 'HEAD' ? 'GET' : request.method, path)
  if (match.kind === 'none') return notFoundAnswer
  if (match.kind === 'other-method') {
    const allow = match.methods.join(', ')
    return { ...errorAnswer(405, `Method "${request.method}" not allowed.`), headers: { allow } }
  }
  const { route, params } = match
  if (route.scope !== undefined && !scopes.includes(route.scope)) {
    return errorAnswer(
      403,
      `You do not have permission to perform this action: the token lacks ${route.scope}.`,
    )
  }
  const isRead = route.method === 'GET'
  const call = {
    services: isRead ? await services.reads.servicesFor(services, viewer) : services,
    viewer,
    scopes,
    url,
    params,
    readBody: () => readSentJson(request),
    readForm: (maxBytes: number) => readSentForm(request, maxBytes),
  }
  const found = await route.handle(call)
  if (!isRead) await services.reads.noteWrite(viewer.userId)
  return found === notFoundAnswer ? explainNotFound(call) : found
}
