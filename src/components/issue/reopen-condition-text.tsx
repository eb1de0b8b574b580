import { Time } from '#components/ui/time/time.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'

/** The reopen condition: `until 12 Dec`, `in web@1.4.0`. Nothing without one. */
export function ReopenConditionText({ condition }: { condition: IssueSummary['reopenCondition'] }) {
  if (condition === undefined) return null
  if (condition.kind === 'release')
    return (
      <>
        in <bdi>{condition.release}</bdi>
      </>
    )
  if (condition.kind === 'next_release')
    return (
      <>
        in the next release after <bdi>{condition.after}</bdi>
      </>
    )
  const { untilAt, eventCount, userCount, hourLimit } = condition
  if (untilAt !== undefined)
    return (
      <>
        until <Time at={untilAt} isExact />
      </>
    )
  if (eventCount !== undefined) return <>until {countedNoun(eventCount, 'event')} in total</>
  if (userCount !== undefined) return <>until {countedNoun(userCount, 'user')} in total</>
  if (hourLimit !== undefined)
    return <>until escalating (more than {countedNoun(hourLimit, 'event')} an hour)</>
  return null
}
