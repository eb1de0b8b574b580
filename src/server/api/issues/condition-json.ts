import type * as v from 'valibot'
import type { IssueSummary } from '#server/store/issues/records.ts'
import type { statusDetailsAnswer } from './answer.ts'

/** The reopen condition of an issue in Sentry's format. Counts are the remaining ones. */
export function toConditionJson({
  reopenCondition,
  eventCount,
  userCount,
}: Pick<IssueSummary, 'reopenCondition' | 'eventCount' | 'userCount'>): v.InferOutput<
  typeof statusDetailsAnswer
> {
  switch (reopenCondition?.kind) {
    case 'release':
      return { inRelease: reopenCondition.release }
    case 'next_release':
      return { inNextRelease: true }
    case 'archive':
      return {
        ...(reopenCondition.untilAt !== undefined && {
          ignoreUntil: new Date(reopenCondition.untilAt).toISOString(),
        }),
        ...(reopenCondition.eventCount !== undefined && {
          ignoreCount: Math.max(0, reopenCondition.eventCount - eventCount),
        }),
        ...(reopenCondition.userCount !== undefined && {
          ignoreUserCount: Math.max(0, reopenCondition.userCount - userCount),
        }),
      }
    case undefined:
  }
  return {}
}
