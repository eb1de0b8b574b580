import { PageHeader } from '#components/layout/page-header.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { DigestView } from '#server/console/events/views.ts'
import { DigestAbsence } from './digest-absence.tsx'
import { DigestForm } from './digest-form.tsx'
import { DigestMatches } from './digest-matches.tsx'

/** The `/digest/$digest` screen: the events that match it, or the possible reasons why there is none. */
export function DigestResult({ view }: { view: DigestView }) {
  const { digest, matches, now } = view
  return (
    <NowProvider now={now}>
      <PageHeader
        title="Find an event"
        {...(matches.length > 0 && { description: `${countedNoun(matches.length, 'event')} found` })}
      />
      <DigestForm digest={digest} />
      {matches.length > 0 && <DigestMatches matches={matches} />}
      {matches.length === 0 && <DigestAbsence view={view} />}
    </NowProvider>
  )
}
