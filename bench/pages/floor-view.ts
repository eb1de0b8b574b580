import * as v from 'valibot'

const count = v.number()
const instant = v.number()

/** What the floor shows: the rows of the list as the store gave them, and the server's time. */
export const floorView = v.object({
  now: instant,
  issues: v.array(
    v.object({
      id: v.string(),
      shortId: v.string(),
      project: v.object({ name: v.string() }),
      title: v.string(),
      subtitle: v.string(),
      culprit: v.string(),
      level: v.string(),
      firstSeenAt: instant,
      lastSeenAt: instant,
      eventCount: count,
      userCount: count,
      bars: v.array(count),
    }),
  ),
})

/** One row of it. */
export type FloorRow = v.InferOutput<typeof floorView>['issues'][number]
