import * as v from 'valibot'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const resolvedInRelease = v.object({ kind: v.literal('release'), release: v.string() })
const resolvedAfterRelease = v.object({ kind: v.literal('next_release'), after: v.string() })

const archived = v.object({
  kind: v.literal('archive'),
  /** Unix milliseconds. */
  untilAt: v.optional(count),
  /** The issue comes back when it has so many events altogether. */
  eventCount: v.optional(count),
  /** The issue comes back when it has so many users altogether. */
  userCount: v.optional(count),
  /** The issue comes back when an hour, by the server's clock, brings more events than this. */
  hourLimit: v.optional(count),
  /** The hour that is being counted for `hourLimit`, and how many events the issue had when it began. */
  hour: v.optional(v.object({ at: count, eventCount: count })),
})

const anyTerms = v.variant('kind', [resolvedInRelease, resolvedAfterRelease, archived])

/**
 * What brings an issue back that is resolved or archived: an event of that release or a newer one, an event
 * of a release newer than that one, or the first that comes true of what it is archived until.
 */
export type IssueTerms = v.InferOutput<typeof anyTerms>

/** Until when an issue is archived. */
export type ArchiveTerms = v.InferOutput<typeof archived>

/** Reads `issues.terms`; undefined for none, and for what this version cannot read. */
export function parseIssueTerms(text: unknown): IssueTerms | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const { success, output } = v.safeParse(anyTerms, JSON.parse(text))
    return success ? output : undefined
  } catch {
    return undefined
  }
}

/** The column of it. */
export function formatIssueTerms(terms: IssueTerms | undefined): string | null {
  return terms === undefined ? null : JSON.stringify(terms)
}

/**
 * The time that an archived issue comes back at; null where none was said. Stands in a column of its own as
 * well.
 */
export function untilAtOf(terms: IssueTerms | undefined): number | null {
  return terms?.kind === 'archive' ? (terms.untilAt ?? null) : null
}
