import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { AnyRouter, RegisteredRouter } from '@tanstack/react-router'
import { getSsrStatus, transformHtmlStringWithRouter } from '@tanstack/react-router/ssr/server'
import { defineHandlerCallback, StartServer } from '@tanstack/react-start/server'
import type { ReactNode } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { isLoadTimeout, isStoreUnavailable } from '#monitoring/failure.ts'
import { createRequestClock, type LoadClock } from '#navigation/load-clock.ts'
import { withLoadLimit } from '#navigation/load-limit.ts'
import { createWholeResponse } from '#server/http/answer/whole-response.ts'
import { appConfig } from '../../app.config.ts'
import { doctypeLength, isWholePage, toPageBytes } from './page-bytes.ts'

/**
 * Renders a page to a complete document before its first byte is sent. Every screen has its data when
 * rendering begins, so streaming has no advantage, and an error while rendering can still become a 500 with a
 * failure page.
 *
 * Throws the first error that a component threw, or `LoadTimeoutError` if one is still pending at the page's
 * time limit.
 */
export const renderPage = defineHandlerCallback(async ({ request, router, responseHeaders }) => {
  try {
    const clock = renderClock(router)
    keepHydrationScripts(router)
    const { html, bytes } = await withLoadLimit(
      (signal) => renderToHtml(<StartServer router={router} />, { nonce: router.options.ssr?.nonce, signal }),
      {
        limitMs: appConfig.routeLoadTimeoutMs,
        now: clock.now,
        navigationStartedAt: () => clock.navigationStartedAt(router.latestLocation.href),
        signal: request.signal,
      },
    )
    const page = await transformHtmlStringWithRouter(router, html)
    const status = pageStatus(router)
    if (status === 503) responseHeaders.set('retry-after', String(appConfig.unavailableRetrySeconds))
    // The router adds the doctype. Only if data were still pending, it would add more.
    const isSame = page.length === html.length + doctypeLength
    return createWholeResponse(isSame ? bytes : Buffer.from(page), { status, headers: responseHeaders })
  } finally {
    router.serverSsr?.cleanup()
  }
})

/** Keeps the scripts with the page's data for a second rendering: the router passes them only once. */
function keepHydrationScripts({ serverSsr }: AnyRouter): void {
  if (serverSsr === undefined) return
  const take = serverSsr.takeInitialHydrationScriptTags
  let taken: ReturnType<typeof take>
  serverSsr.takeInitialHydrationScriptTags = () => (taken ??= take())
}

/** The router's status, but 504 for a page that exceeded the time limit, and 503 without a database. */
function pageStatus(router: AnyRouter): number {
  if (hasTimedOut(router)) return 504
  const isUnavailable = router.stores.matches.get().some((match) => isStoreUnavailable(match.error))
  return isUnavailable ? 503 : getSsrStatus(router)
}

function hasTimedOut(router: AnyRouter): boolean {
  return router.stores.matches.get().some((match) => isLoadTimeout(match.error))
}

/** Rendering gets the remaining time of the page; the failure page of a timeout gets its own time. */
function renderClock(router: RegisteredRouter): LoadClock {
  return hasTimedOut(router) ? createRequestClock(Date.now) : router.options.context.loadClock
}

interface RenderOptions {
  nonce: string | undefined
  signal: AbortSignal
}

/**
 * Renders to a string, which uses a fifth less CPU than the stream. An incomplete page is rendered again as a
 * stream, because only the stream reports thrown errors and waits for pending data.
 */
async function renderToHtml(children: ReactNode, options: RenderOptions): Promise<RenderedPage> {
  const html = renderToString(children)
  const bytes = toPageBytes(html)
  if (isWholePage(bytes)) return { html, bytes }
  const streamed = await renderToWholeStream(children, options)
  return { html: streamed, bytes: toPageBytes(streamed) }
}

interface RenderedPage {
  /** Without a doctype. */
  html: string
  /** With it. */
  bytes: Buffer<ArrayBuffer>
}

function renderToWholeStream(children: ReactNode, { nonce, signal }: RenderOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const render = renderToPipeableStream(children, {
      ...(nonce === undefined ? {} : { nonce }),
      // React hides content larger than a chunk until its script moves it: unreadable without JavaScript.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: reject,
      onShellError: reject,
      onAllReady: () => {
        resolve(text(render.pipe(new PassThrough())).then(withoutDoctype))
      },
    })
    signal.addEventListener('abort', () => render.abort(signal.reason), { once: true })
  })
}

/** Removes React's doctype, because the router adds another one. */
function withoutDoctype(html: string): string {
  return html.replace(/^<!DOCTYPE html>/i, '')
}
