import type { Page } from '@playwright/test'

const pauseMs = 100

/** Twenty issues: fifteen in the list and five on their own pages. */
const keys = 'j e e e e e m m m e e e e e m m Enter e u Enter e u Enter e u Enter e u Enter e u'.split(' ')

declare global {
  /** Resolves with the milliseconds until the frame after the next key was painted. */
  var nextPaint: Promise<number>
  /** The state that a key changes: the row with the cursor, the page, and its status. */
  var lookAtPage: () => string
}

/**
 * Triages twenty issues of the list by keys alone, 100 ms apart, and measures the time from each key to the
 * frame that shows its effect: another row, another page.
 */
export async function measureTriage(page: Page, origin: string) {
  await page.goto(`${origin}/issues?sort=events`, { waitUntil: 'networkidle' })
  const times = new Map<string, number[]>()
  for (const key of keys) {
    await page.evaluate(watchNextKey)
    await page.keyboard.press(key)
    const name = key === 'e' && !page.url().includes('sort=') ? 'e on a page' : key
    times.set(name, [...(times.get(name) ?? []), await page.evaluate(() => globalThis.nextPaint)])
    await page.waitForTimeout(pauseMs)
  }
  return [...times].map(([key, found]) => ({
    key,
    presses: found.length,
    'median ms': Math.round(found.toSorted((one, other) => one - other)[found.length >> 1] ?? Number.NaN),
    'max ms': Math.round(Math.max(...found)),
  }))
}

/** Runs in the page. */
function watchNextKey(): void {
  globalThis.lookAtPage = () =>
    [
      document.activeElement?.getAttribute('href'),
      document.querySelector('h1')?.textContent,
      document.querySelector('.issue-header .badge')?.textContent,
    ].join(' ')
  globalThis.nextPaint = new Promise((resolve) => {
    const onKey = () => {
      const [before, startedAt] = [lookAtPage(), performance.now()]
      const wait = () => {
        if (lookAtPage() === before && performance.now() - startedAt < 3_000) requestAnimationFrame(wait)
        else {
          void scheduler.postTask(() => resolve(performance.now() - startedAt), { priority: 'user-blocking' })
        }
      }
      requestAnimationFrame(wait)
    }
    globalThis.addEventListener('keydown', onKey, { once: true, capture: true })
  })
}
