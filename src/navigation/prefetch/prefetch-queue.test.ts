import { beforeEach, describe, expect, it } from 'vitest'
import { createPrefetchQueue, type PrefetchQueue } from './prefetch-queue.ts'

interface Load {
  href: string
  finish: () => void
  fail: () => void
}

let loads: Load[]
let isNavigating: boolean
let most: number
let queue: PrefetchQueue

beforeEach(() => {
  loads = []
  isNavigating = false
  most = 5
  queue = createPrefetchQueue({
    maxInFlight: () => most,
    isNavigating: () => isNavigating,
    load: (href) =>
      new Promise<void>((resolve, reject) => {
        loads.push({ href, finish: resolve, fail: () => reject(new Error('gone')) })
      }),
  })
})

function requestMany(count: number): void {
  for (let n = 1; n <= count; n++) queue.request([`/issues/${n}`], 'viewport')
}

const started = () => loads.map((load) => load.href)
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('prefetch queue', () => {
  it('never has more than five loads in flight', async () => {
    requestMany(60)
    expect(queue.inFlightCount).toBe(5)
    for (let n = 0; n < 60; n++) {
      loads[n]?.finish()
      await settled()
      expect(queue.inFlightCount).toBeLessThanOrEqual(5)
    }
    expect(loads).toHaveLength(60)
    expect(queue.inFlightCount).toBe(0)
  })

  it('loads the page that entered the viewport last first', async () => {
    requestMany(8)
    loads[0]?.finish()
    await settled()
    expect(started().at(-1)).toBe('/issues/8')
  })

  it('loads pages that entered the viewport together in their order', async () => {
    most = 1
    queue.request(['/projects', '/releases'], 'viewport')
    queue.request(['/issues/1', '/issues/2', '/issues/3'], 'viewport')
    for (const at of [0, 1, 2, 3]) {
      loads[at]?.finish()
      await settled()
    }
    expect(started()).toEqual(['/projects', '/issues/1', '/issues/2', '/issues/3', '/releases'])
  })

  it('loads intended pages before pages in the viewport', async () => {
    requestMany(30)
    queue.request(['/issues/7'], 'intent')
    queue.request(['/events/1'], 'intent')
    loads[0]?.finish()
    loads[1]?.finish()
    await settled()
    expect(started().slice(5)).toEqual(['/events/1', '/issues/7'])
  })

  it('keeps the priority of a hovered page when it enters the viewport', async () => {
    requestMany(6)
    queue.request(['/events/1'], 'intent')
    queue.request(['/events/1'], 'viewport')
    loads[0]?.finish()
    await settled()
    expect(started().at(-1)).toBe('/events/1')
  })

  it('forgets a page that is withdrawn before it started', async () => {
    requestMany(6)
    queue.withdraw('/issues/6')
    loads[0]?.finish()
    await settled()
    expect(started()).not.toContain('/issues/6')
  })

  it('loads a page that is in flight only once', () => {
    queue.request(['/issues/1'], 'viewport')
    queue.request(['/issues/1'], 'intent')
    expect(started()).toEqual(['/issues/1'])
  })

  it('pauses during a navigation and resumes after it', async () => {
    requestMany(5)
    isNavigating = true
    queue.request(['/events/1'], 'intent')
    loads[0]?.finish()
    await settled()
    expect(loads).toHaveLength(5)
    isNavigating = false
    queue.pump()
    expect(started().at(-1)).toBe('/events/1')
  })

  it('releases the slot of a failed load and lets the page be requested again', async () => {
    queue.request(['/issues/1'], 'viewport')
    loads[0]?.fail()
    await settled()
    expect(queue.inFlightCount).toBe(0)
    queue.request(['/issues/1'], 'viewport')
    expect(loads).toHaveLength(2)
  })

  it('starts no load while the limit is zero and resumes when it is pumped', async () => {
    most = 0
    requestMany(3)
    expect(started()).toEqual([])
    most = 1
    queue.pump()
    expect(started()).toEqual(['/issues/3'])
    most = 5
    loads[0]?.finish()
    await settled()
    expect(started()).toEqual(['/issues/3', '/issues/2', '/issues/1'])
  })
})
