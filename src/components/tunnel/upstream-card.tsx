import { Badge } from '#components/ui/badge.tsx'
import { DefinitionList, type Definition } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { byteText, exactCount } from '#numbers/number-text.ts'
import type { UpstreamView } from '#server/console/project-settings/views.ts'
import { rateLimitLabel, describeUpstream } from './upstream-texts.ts'

/** One upstream: how it is, its figures, and what can be done. */
export function UpstreamCard({ upstream, tunnelPath }: { upstream: UpstreamView; tunnelPath: string }) {
  const { project, host, hostProjectId, query, isStoredHere, kinds } = upstream
  const state = describeUpstream(upstream)
  return (
    <li className="upstream">
      <header>
        <h2>
          <bdi>{host}</bdi> <span className="quiet">project {hostProjectId}</span>
        </h2>
        <Badge tone={state.tone}>{state.word}</Badge>
        <UpstreamActions upstream={upstream} />
      </header>
      <p className="quiet">
        {kinds === 'all' ? 'Everything' : 'Only errors'} from{' '}
        {upstream.canConfigure ? (
          <Link to="/projects/$slug/upstreams" params={{ slug: project.slug }}>
            {project.name}
          </Link>
        ) : (
          project.name
        )}
        , {isStoredHere ? 'also stored here' : 'not stored here'}.
        {query === undefined ? null : (
          <>
            {' '}
            Tunnel URL <code>{`${tunnelPath}${query}`}</code>
          </>
        )}
      </p>
      <DefinitionList layout="facts" items={figuresOf(upstream)} />
    </li>
  )
}

/** For times in the future. */
const soon = 'within a minute'

function figuresOf(upstream: UpstreamView): Definition[] {
  const { deliveredCount, deliveredAt, waitingCount, waitingBytes, oldestWaitingAt } = upstream
  const { failedCount, droppedCount, answer, answeredAt, retryAt, held } = upstream
  return [
    { term: 'Delivered', description: <Figure count={deliveredCount} at={deliveredAt} note="last" /> },
    {
      term: 'Queued',
      description: (
        <Figure
          count={waitingCount}
          at={oldestWaitingAt}
          note={waitingCount === 0 ? '' : `${byteText(waitingBytes)}, oldest`}
        />
      ),
    },
    { term: 'Rejected', description: exactCount(failedCount) },
    ...(droppedCount === 0 ? [] : [{ term: 'Discarded', description: exactCount(droppedCount) }]),
    {
      term: 'Last response',
      description:
        answer === undefined ? (
          'None'
        ) : (
          <>
            <bdi>{answer}</bdi> {answeredAt === undefined ? null : <Note at={answeredAt} text="" />}
          </>
        ),
    },
    ...(retryAt === undefined
      ? []
      : [{ term: 'Next retry', description: <Time at={retryAt} near={soon} /> }]),
    ...held.map(({ category, until }) => ({
      term: rateLimitLabel(category),
      description: (
        <>
          ends <Time at={until} near={soon} />
        </>
      ),
    })),
  ]
}

function Figure({ count, at, note }: { count: number; at: number | undefined; note: string }) {
  return (
    <>
      {exactCount(count)} {at === undefined ? null : <Note at={at} text={note} />}
    </>
  )
}

function Note({ at, text }: { at: number; text: string }) {
  return (
    <span className="quiet">
      {text} <Time at={at} />
    </span>
  )
}

function UpstreamActions({ upstream }: { upstream: UpstreamView }) {
  const { reference, host, isPaused, canConfigure, failureCount, held } = upstream
  if (!canConfigure) return null
  const verb = isPaused ? 'resume' : 'pause'
  const isStalled = !isPaused && (failureCount > 0 || held.length > 0)
  return (
    <div className="upstream-actions">
      {isStalled ? (
        <button type="submit" className="button" name="change" value={`try:${reference}`}>
          Retry now<span className="visually-hidden">: {host}</span>
        </button>
      ) : null}
      <button type="submit" className="button" name="change" value={`${verb}:${reference}`}>
        {isPaused ? 'Resume' : 'Pause'}
        <span className="visually-hidden">: {host}</span>
      </button>
    </div>
  )
}
