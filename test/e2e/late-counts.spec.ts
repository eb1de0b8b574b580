import type { Page } from '@playwright/test'
import { limits } from '#server/limits.ts'
import { firstBlockIdAt } from '#server/store/events/body-block.ts'
import { formatCounterDelta } from '#server/store/ingest/counter-delta.ts'
import { nextIdOfSlice, sliceOf } from '#server/store/ingest/counter-slice.ts'
import { findCountsDelay } from '#server/store/issues/counts-delay.ts'
import type { Store } from '#server/store/store.ts'
import type { Project } from './support/culvert.ts'
import { fullEvent, sendEvent } from './support/events.ts'
import { expect, onePageTest as test, shareCulvert, signIn } from './support/test.ts'

/** One time for all events, so that they are in the same hour. */
const occurredAt = Date.now()
let shop: Project
const culvert = shareCulvert(async (started) => {
  shop = await started.createProject('Shop')
  await sendEvent(shop, { ...fullEvent('PaymentError'), timestamp: occurredAt / 1000 })
})

/** Older than all others: the row of the issue gets the number of events, and nothing else. */
const latest = {
  occurredAt: 0,
  eventId: '',
  type: 'error',
  title: '',
  subtitle: '',
  culprit: '',
  level: 'error',
  platform: 'node',
}

const note = (page: Page) => page.locator('.late-counts')

/** A delta, as left by a batch under load, that no process counts until this one releases its lock. */
async function holdDelta(store: Store): Promise<{ issueId: number; release: () => void }> {
  const { id: issueId } = await store.db
    .selectFrom('issues')
    .select('id')
    .where('project_id', '=', shop.id)
    .executeTakeFirstOrThrow()
  const now = store.clock()
  const counted = Array.from({ length: 40 }, () => ({
    occurredAt,
    environment: 'production',
    userHash: undefined,
    tags: [],
  }))
  await store.writer
    .insertInto('counter_deltas')
    .values({
      project_id: shop.id,
      id: nextIdOfSlice(idsFrom(firstBlockIdAt(now)), sliceOf(issueId)),
      event_count: counted.length,
      data: formatCounterDelta([
        { issue: { issueId }, counted, advance: { eventCount: counted.length, latest } },
      ]),
    })
    .execute()
  await store.writeLock.acquire()
  store.connection.exec('BEGIN IMMEDIATE')
  // PostgreSQL ends an idle transaction.
  const awake = setInterval(() => store.connection.prepare('SELECT 1').get(), 1_000)
  return {
    issueId,
    release: () => {
      clearInterval(awake)
      store.connection.exec('ROLLBACK')
      store.writeLock.release()
    },
  }
}

function idsFrom(first: number): () => number {
  let id = first
  return () => id++
}

function findDelay(store: Store): Promise<number | undefined> {
  return findCountsDelay(store.db, { projectIds: [shop.id], now: store.clock() })
}

test('the list and the page of an issue report late counts, then show them @full', async ({
  page,
  context,
}) => {
  await signIn(context, culvert())
  const issuePage = await context.newPage()
  const listed = page.locator('td.count-cell').first()
  const peak = issuePage.locator('.trend-scale')
  await culvert().withStore(async ({ store }) => {
    const { issueId, release } = await holdDelta(store)
    try {
      await expect.poll(() => findDelay(store)).toBeDefined()
      await page.goto(`${culvert().origin}/issues`)
      await issuePage.goto(`${culvert().origin}/issues/${issueId}`)
      for (const shown of [note(page), note(issuePage)])
        await expect(shown).toHaveText(/^Counts are .* behind\.$/)
      await expect(listed).toHaveText('1')
      await expect(peak).toHaveText('peak 1 an hour')
    } finally {
      release()
    }
  })
  const soon = { timeout: limits.lateDeltasCheckMs + 25_000 }
  await expect(note(page)).toBeEmpty(soon)
  await expect(note(issuePage)).toBeEmpty(soon)
  await expect(listed).toHaveText('41')
  await expect(peak).toHaveText('peak 41 an hour')
})
