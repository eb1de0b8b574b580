import { EmptyState } from '#components/layout/empty-state.tsx'
import { findReasonSentence } from '#components/outcome/outcome-texts.ts'
import { DefinitionList, type Definition } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { DigestView, DroppedItem } from '#server/console/events/views.ts'
import type { ExpiredEvent, ExpiryReason } from '#server/store/events/records.ts'

const reasons: readonly Definition[] = [
  {
    term: 'Never sent',
    description:
      'The browser was offline, a blocker stopped it, or the SDK dropped it (sampling, beforeSend, its own rate limit).',
  },
  {
    term: 'Filtered',
    description: 'An inbound filter dropped it. Only the newest samples of each filter and day are stored.',
  },
  {
    term: 'Rate limited',
    description:
      'The project, key or IP address was over a rate limit. Rejected events are counted, not stored.',
  },
  {
    term: 'Sampled out',
    description: 'Spike protection counted it without storing it. The issue shows similar events.',
  },
  {
    term: 'Different server',
    description: 'The application reports to a different server or project.',
  },
  {
    term: 'A Next.js digest',
    description:
      'Next.js computes it from the error, not from the event. Culvert finds it when the SDK sent it in a tag, a context, extra data or a console breadcrumb.',
  },
  {
    term: 'Typo',
    description: 'A digest has 12 characters, 0 to 9 and a to f; an event ID or trace ID has 32.',
  },
]

const expiryTexts: Record<ExpiryReason, string> = {
  age: 'It was older than the project’s retention period.',
  count: 'The project was over its maximum number of events, and this was one of the oldest.',
  bytes: 'The database was over its size limit, and this was one of the oldest events.',
  deleted: 'Its issue was deleted.',
}

/** The result without an event: why it is missing, or the possible reasons. */
export function DigestAbsence({ view: { digest, expired, dropped } }: { view: DigestView }) {
  if (expired !== undefined) return <Expired digest={digest} expired={expired} />
  return dropped === undefined ? <Unknown digest={digest} /> : <Dropped digest={digest} items={dropped} />
}

function Dropped({ digest, items }: { digest: string; items: readonly DroppedItem[] }) {
  return (
    <EmptyState title="Filtered">
      {items.map(({ sampleId, projectName, reason, title, receivedAt }) => (
        <p key={sampleId}>
          <bdi>{title}</bdi>
          <br />
          Dropped by <code>{reason}</code> <Time at={receivedAt} /> in <bdi>{projectName}</bdi>.{' '}
          {findReasonSentence('filtered', reason)}
        </p>
      ))}
      <p>
        <Link to="/outcomes" search={{ sample: digest }} hash="sample" className="button">
          View {items.length === 1 ? 'sample' : 'samples'}
        </Link>
      </p>
    </EmptyState>
  )
}

function Expired({ digest, expired }: { digest: string; expired: ExpiredEvent }) {
  return (
    <EmptyState title="Expired">
      <p>
        Event <code className="digest-code">{digest}</code> was stored in <bdi>{expired.projectName}</bdi> and
        deleted <Time at={expired.expiredAt} />.
      </p>
      <p>{expiryTexts[expired.reason]}</p>
    </EmptyState>
  )
}

function Unknown({ digest }: { digest: string }) {
  return (
    <>
      <EmptyState title="Event not found">
        <p>
          No stored event matches <code className="digest-code">{digest}</code>.
        </p>
      </EmptyState>
      <section className="absence" aria-labelledby="absence-title">
        <h2 id="absence-title">Possible reasons</h2>
        <DefinitionList items={reasons} />
      </section>
    </>
  )
}
