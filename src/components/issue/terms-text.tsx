import { countedNoun } from '#components/ui/number-text.ts'
import { Time } from '#components/ui/time/time.tsx'
import type { IssueSummary } from '#server/store/issues/records.ts'

/** What brings the issue back: `until 12 Dec`, `in web@1.4.0`. Nothing where nothing special was said. */
export function TermsText({ terms }: { terms: IssueSummary['terms'] }) {
  if (terms === undefined) return null
  if (terms.kind === 'release')
    return (
      <>
        in <bdi>{terms.release}</bdi>
      </>
    )
  if (terms.kind === 'next_release')
    return (
      <>
        in the release after <bdi>{terms.after}</bdi>
      </>
    )
  const { untilAt, eventCount, userCount, hourLimit } = terms
  if (untilAt !== undefined)
    return (
      <>
        until <Time at={untilAt} isExact />
      </>
    )
  if (eventCount !== undefined) return <>until it has {countedNoun(eventCount, 'event')}</>
  if (userCount !== undefined) return <>until it has {countedNoun(userCount, 'user')}</>
  if (hourLimit !== undefined) return <>until an hour brings more than {countedNoun(hourLimit, 'event')}</>
  return null
}
