import type { BrowserContext, Page, Response } from '@playwright/test'

declare global {
  /** The elements that were removed from the screen, written by `recordRemovedParts`. */
  var removedParts: string[]
}

/** On a busy machine, hydration takes less. */
const idleTimeoutMs = 5_000

/** Opens a URL, and waits until its page is settled. */
export async function openSettled(page: Page, url: string): Promise<Response | null> {
  const response = await page.goto(url)
  await waitUntilSettled(page)
  return response
}

/**
 * Waits until the page is hydrated, its own monitoring has started, and it loads and calculates nothing. On a
 * busy machine, a page that loads nothing may still be hydrating, or load its monitoring later.
 */
export async function waitUntilSettled(page: Page): Promise<void> {
  // The global of Sentry's SDK, which loads once the page is hydrated.
  await page.waitForFunction(() => '__SENTRY__' in globalThis)
  // The state below is that of the document, which a navigation by the router does not change.
  await page.waitForFunction(() => {
    const { __TSR_ROUTER__: router } = window
    return router?.state.status !== 'pending'
  })
  await page.waitForLoadState('networkidle')
  // Chromium does not always call back on a page that renders nothing, so the callback has a time limit.
  await page.evaluate(
    (timeout) => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout })),
    idleTimeoutMs,
  )
}

/** Delays the hydration of pages until the returned function is called. */
export async function delayHydration(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await released.promise
    await route.continue()
  })
  return released.resolve
}

/** The contexts whose pages record them. */
const recording = new WeakSet<BrowserContext>()

/** Records which elements of the screen are removed, from the first byte of each page on. */
export async function recordRemovedParts(context: BrowserContext): Promise<void> {
  if (recording.has(context)) return
  recording.add(context)
  await context.addInitScript(() => {
    globalThis.removedParts = []
    const changes = new MutationObserver((records) => {
      for (const { target, removedNodes } of records) {
        const isOnScreen = target instanceof Element && target.closest('main') !== null
        for (const node of removedNodes) {
          if (!isOnScreen || !(node instanceof Element) || node.tagName === 'SCRIPT') continue
          globalThis.removedParts.push(node.outerHTML.slice(0, 200))
        }
      }
    })
    changes.observe(document, { childList: true, subtree: true })
  })
}
