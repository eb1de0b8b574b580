import { toNoticePath } from '#alerts/notice.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { LedgerAttempt, LedgerDelivery, LedgerEntry } from '#server/store/alerts/records.ts'
import { transitionTexts } from './transition-text.ts'

const resultTexts: Record<string, string> = {
  sent: 'sent',
  grouped: 'grouped',
  storm: 'held in a storm',
  digest: 'in a digest',
  throttled: 'throttled',
  muted: 'muted',
  quiet_hours: 'quiet hours',
  disabled: 'rule disabled',
  no_receiver: 'no receiver',
}

/** The alert is sent, alone or with others. */
const goodResults = new Set(['sent', 'grouped', 'digest'])

/** Decisions of rules, newest first, each with its messages. `hasIssues`: they are about several issues. */
export function LedgerList({ entries, hasIssues }: { entries: readonly LedgerEntry[]; hasIssues: boolean }) {
  return (
    <ol className="ledger">
      {entries.map((entry) => (
        <li key={entry.key}>
          <p>
            <Badge tone={goodResults.has(entry.result) ? 'success' : 'warning'}>
              {resultTexts[entry.result] ?? entry.result}
            </Badge>{' '}
            <strong>{transitionTexts[entry.transition]}</strong> <RuleNames rules={entry.rules} />{' '}
            <span className="quiet">
              <Time at={entry.decidedAt} />
            </span>
          </p>
          {hasIssues ? <IssueLine entry={entry} /> : null}
          <Receivers entry={entry} />
          <Attempts deliveries={entry.deliveries} />
        </li>
      ))}
    </ol>
  )
}

/** "by the rule Ops"; of several rules the first, and the names of the others on demand. */
function RuleNames({ rules: [first, ...more] }: Pick<LedgerEntry, 'rules'>) {
  return (
    <>
      by the rule{' '}
      <Link to="/alerts" search={{ rule: first?.id }}>
        <bdi>{first?.name}</bdi>
      </Link>
      {more.length === 0 ? null : (
        <>
          {' '}
          and{' '}
          <abbr title={more.map(({ name }) => name).join(', ')}>
            {countedNoun(more.length, 'other rule', 'other rules')}
          </abbr>
        </>
      )}
    </>
  )
}

function IssueLine({ entry: { issue, notice, project } }: { entry: LedgerEntry }) {
  return (
    <p>
      {notice !== undefined ? (
        <a href={toNoticePath(notice, project.slug)}>
          <bdi>{notice.title}</bdi>
        </a>
      ) : issue === undefined ? (
        <span className="quiet">A deleted issue</span>
      ) : (
        <Link to="/issues/$issueId/alerts" params={{ issueId: issue.id }}>
          <bdi>{issue.title}</bdi>
          {issue.subtitle === '' ? null : (
            <>
              {' '}
              <bdi className="quiet">{issue.subtitle}</bdi>
            </>
          )}
        </Link>
      )}{' '}
      <span className="quiet">
        in <bdi>{project.name}</bdi>
      </span>
    </p>
  )
}

function Receivers({ entry: { inboxCount, deliveries } }: { entry: LedgerEntry }) {
  if (inboxCount === 0 && deliveries.length === 0) return null
  const sent = deliveries.filter(({ status }) => status === 'sent')
  return (
    <ul>
      {sent.length === 0 ? null : (
        <li>
          {sent.map((delivery, at) => (
            <span key={delivery.id}>
              {at === 0 ? null : ', '}
              <DeliveryName delivery={delivery} /> <Time at={delivery.finishedAt ?? delivery.dueAt} isExact />
            </span>
          ))}
        </li>
      )}
      {inboxCount === 0 ? null : <li>In the inbox of {countedNoun(inboxCount, 'person', 'people')}</li>}
      {deliveries
        .filter(({ status }) => status !== 'sent')
        .map((delivery) => (
          <li key={delivery.id}>
            <DeliveryText delivery={delivery} />
          </li>
        ))}
    </ul>
  )
}

function DeliveryText({ delivery }: { delivery: LedgerDelivery }) {
  const { status, dueAt, finishedAt } = delivery
  return (
    <>
      <DeliveryName delivery={delivery} />: {status}{' '}
      <span className="quiet">
        <Time at={finishedAt ?? dueAt} />
      </span>
    </>
  )
}

/** Each attempt to send the messages of an entry, newest first. */
function Attempts({ deliveries }: Pick<LedgerEntry, 'deliveries'>) {
  const count = deliveries.reduce((sum, { attemptCount }) => sum + attemptCount, 0)
  if (count === 0) return null
  return (
    <Disclosure summary={countedNoun(count, 'attempt')}>
      <ul>
        {deliveries.flatMap((delivery) =>
          delivery.attempts.map((attempt) => (
            <li key={`${delivery.id} ${attempt.at}`}>
              <AttemptText delivery={delivery} attempt={attempt} />
            </li>
          )),
        )}
        {deliveries
          .filter(({ attempts, attemptCount }) => attempts.length < attemptCount)
          .map(({ id, receiver, attemptCount }) => (
            <li key={id}>
              <Link to="/alerts" search={{ message: id }}>
                All {attemptCount} attempts to <bdi>{receiver}</bdi>
              </Link>
            </li>
          ))}
      </ul>
    </Disclosure>
  )
}

function AttemptText({
  delivery,
  attempt: { at, status, durationMs, answer },
}: {
  delivery: LedgerDelivery
  attempt: LedgerAttempt
}) {
  return (
    <>
      <DeliveryName delivery={delivery} /> <Time at={at} isExact />: {status ?? 'no answer'} after{' '}
      {durationMs} ms <bdi className="quiet">{answer}</bdi>
    </>
  )
}

/** "Ada by email" */
function DeliveryName({ delivery: { receiver, isMail, kind } }: { delivery: LedgerDelivery }) {
  return (
    <>
      <bdi>{receiver}</bdi>
      {isMail ? ' by email' : null}
      {kind === 'digest' ? ' in a digest' : kind === 'quiet' ? ' after quiet hours' : null}
    </>
  )
}
