import type { Browser } from '@playwright/test'
import type { TestContext } from 'vitest'
import type { Culvert } from '../../e2e/support/culvert.ts'
import { openVisit, readPage, type Visit } from './visits.ts'

/** A visit of an application that samples all traces. */
export interface TracedVisit extends Visit {
  /** The operation of the browser's root span. */
  op: 'pageload' | 'navigation'
}

/** The browser sends its spans a second after the last one has ended. */
const traceTimeoutMs = 20_000

/** Makes the visit, and checks that one trace has the span of the browser and a request of the server. */
export async function expectOneTrace(
  visit: TracedVisit,
  { browser, origin, culvert }: { browser: Browser; origin: string; culvert: Culvert },
  { expect }: TestContext,
): Promise<void> {
  const context = await browser.newContext()
  const traceIds = new Set<string>()
  context.on('request', (request) => {
    for (const [, id = ''] of (request.postData() ?? '').matchAll(/"trace_id":"([0-9a-f]{32})"/g))
      traceIds.add(id)
  })
  const operations = [visit.op, 'http.server']
  const findOperations = async (id: string) => {
    const html = await readPage(culvert, `/traces/${id}`)
    return operations.filter((op) => html.includes(`<span class="waterfall-op">${op}</span>`))
  }
  try {
    await openVisit(visit, await context.newPage(), origin)
    await expect
      .poll(() => Promise.all([...traceIds].map(findOperations)), { timeout: traceTimeoutMs, interval: 300 })
      .toContainEqual(operations)
  } finally {
    await context.close()
  }
}
