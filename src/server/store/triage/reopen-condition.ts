import * as v from 'valibot'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Reopens a resolved issue at an event of the release or a newer one, or of a release newer than `after`. */
export const releaseCondition = v.variant('kind', [
  v.object({ kind: v.literal('release'), release: v.string() }),
  v.object({ kind: v.literal('next_release'), after: v.string() }),
])

/** Reopens an archived issue when the first of its limits is reached. */
export const archiveCondition = v.object({
  kind: v.literal('archive'),
  /** Unix milliseconds. */
  untilAt: v.optional(count),
  /** In total, not since the issue was archived. */
  eventCount: v.optional(count),
  /** In total, not since the issue was archived. */
  userCount: v.optional(count),
  /** As the user set it: since the issue was archived. Conditions of earlier versions lack it. */
  moreEvents: v.optional(count),
  moreUsers: v.optional(count),
  /** Reopens when the events of an hour, by the server's clock, exceed this number. */
  hourLimit: v.optional(count),
  /** The hour that is counted for `hourLimit`, and the event count at its start. */
  hour: v.optional(v.object({ at: count, eventCount: count })),
})

export type ReleaseCondition = v.InferOutput<typeof releaseCondition>
export type ArchiveCondition = v.InferOutput<typeof archiveCondition>

/** The reopen condition of a resolved or archived issue, in addition to the rule of its status. */
export type ReopenCondition = ReleaseCondition | ArchiveCondition

const condition = v.variant('kind', [...releaseCondition.options, archiveCondition])

/** Parses `issues.reopen_condition`; undefined if there is none, or none that this version knows. */
export function parseReopenCondition(text: unknown): ReopenCondition | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const { success, output } = v.safeParse(condition, JSON.parse(text))
    return success ? output : undefined
  } catch {
    return undefined
  }
}
