import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { AnyRouter, RegisteredRouter } from '@tanstack/react-router'
import { getSsrStatus, transformHtmlStringWithRouter } from '@tanstack/react-router/ssr/server'
import { defineHandlerCallback, StartServer } from '@tanstack/react-start/server'
import type { ReactNode } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { createRequestClock, type LoadClock } from '#navigation/load-clock.ts'
import { withLoadLimit } from '#navigation/load-limit.ts'
import { appConfig } from '../../app.config.ts'
import { isLoadTimeout } from './failure.ts'

/**
 * Renders a page to a whole document before its first byte goes out. Every screen has its data when rendering begins,
 * so streaming would win nothing, and an error while rendering can still become a 500 with a failure page.
 *
 * Throws the first error that a component threw, or `LoadTimeoutError` where one still waits when the page's time is up.
 */
export const renderPage = defineHandlerCallback(async ({ request, router, responseHeaders }) => {
  try {
    const clock = renderClock(router)
    const html = await withLoadLimit(
      (signal) => renderToHtml(<StartServer router={router} />, { nonce: router.options.ssr?.nonce, signal }),
      {
        limitMs: appConfig.routeLoadTimeoutMs,
        now: clock.now,
        navigationStartedAt: () => clock.navigationStartedAt(router.latestLocation.href),
        signal: request.signal,
      },
    )
    const page = await transformHtmlStringWithRouter(router, html)
    return new Response(page, { status: pageStatus(router), headers: responseHeaders })
  } finally {
    router.serverSsr?.cleanup()
  }
})

/** What the router says, but 504 for a page that ran into the time limit. */
function pageStatus(router: AnyRouter): number {
  return hasTimedOut(router) ? 504 : getSsrStatus(router)
}

function hasTimedOut(router: AnyRouter): boolean {
  return router.stores.matches.get().some((match) => isLoadTimeout(match.error))
}

/** Rendering has what loading left of the page's time; a failure page about the time itself has its own. */
function renderClock(router: RegisteredRouter): LoadClock {
  return hasTimedOut(router) ? createRequestClock(Date.now) : router.options.context.loadClock
}

interface RenderOptions {
  nonce: string | undefined
  signal: AbortSignal
}

function renderToHtml(children: ReactNode, { nonce, signal }: RenderOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const render = renderToPipeableStream(children, {
      ...(nonce === undefined ? {} : { nonce }),
      // React hides what is larger than a chunk until a script of its own moves it: unreadable without JavaScript.
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

/** React writes a doctype, and the router puts one before whatever it is given. */
function withoutDoctype(html: string): string {
  return html.replace(/^<!DOCTYPE html>/i, '')
}
