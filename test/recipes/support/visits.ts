import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import * as v from 'valibot'
import { expect, vi } from 'vitest'
import { storedEventIds } from '#test/stored-events.ts'
import type { Culvert, Project } from '../../e2e/support/culvert.ts'

/** A visitor opens a page that fails, and reads the failure page. */
export interface Visit {
  /** The title of the test; the fixture puts it into the message of the error. */
  name: string
  /** Path of the failing page. */
  page: string
  /** By a link from `/` instead of a load. */
  isNavigation?: boolean
  isWithoutScripts?: boolean
  /** The button that causes the failure. */
  button?: string
  /** How often "Try again" is clicked. */
  retries?: number
  /** False: the page shows no digest. */
  showsDigest?: boolean
  /** The platforms of the stored events. */
  events: readonly ('node' | 'javascript')[]
}

/** An event of the store, with the fields that a visit checks. */
interface StoredEvent {
  platform: string
  /** Of the last exception. */
  value: string
}

const visitTimeoutMs = 15_000
/** By then an unexpected second event has arrived. */
const settleMs = 700

/** Visits, and checks that each shown digest leads to an event of it, and that no event is stored twice. */
export async function expectFoundDigests(
  visit: Visit,
  {
    browser,
    origin,
    culvert,
    project,
  }: { browser: Browser; origin: string; culvert: Culvert; project: Project },
): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: visit.isWithoutScripts !== true })
  try {
    const digests = await readDigests(visit, await context.newPage(), origin)
    if (visit.showsDigest === false) expect(digests).toEqual([])
    else expect(digests).toHaveLength(1 + (visit.retries ?? 0))
    for (const digest of digests) {
      expect([digest, await waitForEvent(culvert, digest)]).toEqual([
        digest,
        expect.stringContaining(visit.name),
      ])
    }
    const haveArrived = async () =>
      expect((await readPlatforms()).length).toBeGreaterThanOrEqual(visit.events.length)
    await vi.waitFor(haveArrived, { timeout: visitTimeoutMs, interval: 200 })
    await sleep(settleMs)
  } finally {
    // Checked now: a page that shows its digest may not have sent its event earlier.
    await context.close()
  }
  expect(await readPlatforms()).toEqual([...visit.events].toSorted())

  async function readPlatforms(): Promise<string[]> {
    const stored = (await listEvents(culvert, project)).filter((event) => visitOf(event) === visit.name)
    return stored.map(({ platform }) => platform).toSorted()
  }
}

/** The digests shown to the visitor: on the first failure page and after each "Try again". */
async function readDigests(visit: Visit, page: Page, origin: string): Promise<string[]> {
  page.setDefaultTimeout(visitTimeoutMs)
  await openVisit(visit, page, origin)
  if (visit.showsDigest === false) {
    await sleep(settleMs)
    return /Digest: (\w+)/.exec(await page.locator('body').innerText()) ?? []
  }
  const digests = [await readDigest(page)]
  for (let retry = 0; retry < (visit.retries ?? 0); retry += 1) {
    await page.getByRole('button', { name: 'Try again' }).click()
    if (visit.button !== undefined)
      await page.getByRole('button', { name: visit.button, exact: true }).click()
    // A page that fails again shows the previous digest until its effect has run.
    await sleep(settleMs)
    digests.push(await readDigest(page))
  }
  return digests
}

/** Opens the page of a visit, by its address or a link, and clicks its button. */
export async function openVisit(
  { name, page: path, isNavigation, isWithoutScripts, button }: Visit,
  page: Page,
  origin: string,
): Promise<void> {
  const search = `?${new URLSearchParams({ visit: name })}`
  const open = isWithoutScripts === true ? openIdle : openHydrated
  if (isNavigation === true) {
    await open(page, `${origin}/${search}`)
    await page.getByRole('link', { name: path.slice(1), exact: true }).click()
  } else {
    await open(page, `${origin}${path}${search}`)
  }
  if (button !== undefined) await page.getByRole('button', { name: button, exact: true }).click()
}

/** On a busy machine, hydration takes less. */
const idleTimeoutMs = 5_000

/**
 * Opens a page and waits until it loads and calculates nothing: it is hydrated then. A navigation before it
 * would be another error, of the framework.
 */
async function openHydrated(page: Page, address: string): Promise<void> {
  await openIdle(page, address)
  // Chromium does not always call back on a page that renders nothing, so the callback has a time limit.
  await page.evaluate(
    (timeout) => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout })),
    idleTimeoutMs,
  )
}

async function openIdle(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'networkidle' })
}

async function readDigest(page: Page): Promise<string> {
  const line = page.getByText(/Digest: \w+/)
  await line.waitFor()
  return /Digest: (\w+)/.exec(await line.innerText())?.[1] ?? ''
}

async function waitForEvent(culvert: Culvert, digest: string): Promise<string> {
  const giveUpAt = Date.now() + visitTimeoutMs
  for (;;) {
    const found = await findByDigest(culvert, digest)
    if (!found.startsWith(absence) || Date.now() > giveUpAt) return found
    await sleep(200)
  }
}

const absence = 'no event, but'

/** The result of looking a digest up: the value of the event's exception, or the path of another page. */
async function findByDigest(culvert: Culvert, digest: string): Promise<string> {
  const { pathname } = new URL((await get(culvert, `/digest/${digest}`)).url)
  const [, eventId] = /^\/events\/([0-9a-f]{32})$/.exec(pathname) ?? []
  return eventId === undefined ? `${absence} ${pathname}` : (await readEvent(culvert, eventId)).value
}

/** The stored events of a project. */
export async function listEvents(culvert: Culvert, { id }: Project): Promise<StoredEvent[]> {
  const ids = await culvert.withStore(({ store }) => storedEventIds(store, id))
  return Promise.all(ids.map((eventId) => readEvent(culvert, eventId)))
}

/** The title of the visit of an event: the part after the first comma of its message, or all of it. */
export function visitOf({ value }: StoredEvent): string {
  const comma = value.indexOf(', ')
  return comma === -1 ? value : value.slice(comma + 2)
}

const Payload = v.object({
  platform: v.string(),
  exception: v.optional(v.object({ values: v.array(v.object({ value: v.optional(v.string()) })) })),
})

async function readEvent(culvert: Culvert, eventId: string): Promise<StoredEvent> {
  const answer = await get(culvert, `/events/${eventId}/json`)
  const { platform, exception } = v.parse(Payload, await answer.json())
  return { platform, value: exception?.values.at(-1)?.value ?? '' }
}

/** The HTML of a page, as its owner sees it. */
export async function readPage(culvert: Culvert, path: string): Promise<string> {
  return (await get(culvert, path)).text()
}

function get({ origin, session }: Culvert, path: string): Promise<Response> {
  return fetch(origin + path, {
    headers: { accept: 'text/html', cookie: `${session.name}=${session.value}` },
  })
}
