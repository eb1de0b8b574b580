import { describe, expect, it } from 'vitest'
import type { IssueEventRow, IssueEventsView } from '#server/console/issues/views.ts'
import { withholdNewEvents } from './new-events.ts'

/** The page with the events of these times. */
function page(times: number[], change: Partial<IssueEventsView> = {}): IssueEventsView {
  const events = times.map((occurredAt) => ({ eventId: `event ${occurredAt}`, occurredAt }) as IssueEventRow)
  return { now: 1_000, events, ...change } as IssueEventsView
}

describe('a displayed list of events that is reloaded', () => {
  it('keeps its rows and withholds new events', () => {
    const shown = page([2, 1])
    const latest = page([4, 3, 2, 1])
    const first = withholdNewEvents(shown, latest)
    expect(first.events).toBe(shown.events)
    expect(first.pending).toEqual({ count: 2, isMore: false, latest })
    expect(withholdNewEvents(first, page([5, 4, 3, 2, 1])).pending?.count).toBe(3)
  })

  it('reports that there are more new events than a page', () => {
    const more = { nextCursor: 'next' }
    expect(withholdNewEvents(page([2, 1]), page([9, 8], more)).pending).toMatchObject({ isMore: true })
  })

  it('does not count events of the next page that move up when shown ones are deleted', () => {
    const more = { nextCursor: 'next' }
    expect(withholdNewEvents(page([9, 8, 7], more), page([9, 7, 6], more)).pending).toBeUndefined()
  })

  it('shows new events immediately if it has no rows', () => {
    const latest = page([1])
    expect(withholdNewEvents(page([]), latest)).toBe(latest)
  })
})
