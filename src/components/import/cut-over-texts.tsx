import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { CutOverView } from '#server/console/imports/views.ts'

interface CutOverTextProps {
  cutOver: CutOverView
}

/** The projects that were imported. */
export function ImportText({ cutOver: { projectCount, issueCount, importedAt } }: CutOverTextProps) {
  if (projectCount === 0)
    return 'From a running tracker or a backup. A report comes first; nothing is changed before you confirm.'
  return (
    <>
      {countedNoun(projectCount, 'project')} with {countedNoun(issueCount, 'issue')}
      {importedAt === undefined ? null : (
        <>
          , imported <Time at={importedAt} />
        </>
      )}
      .
    </>
  )
}

/** True if both trackers will receive all events. */
export function ForwardText({ cutOver }: CutOverTextProps) {
  const { states, projectCount, forwardingCount, waitingCount } = cutOver
  const share = <>Upstreams: {shareText(forwardingCount, projectCount)}.</>
  if (states.forward === 'problem')
    return (
      <>
        {share} One of them fails: <Link to="/tunnel">see the last response</Link>.
      </>
    )
  if (states.forward === 'off') return 'No upstream: nothing is forwarded to the old tracker.'
  if (states.forward === 'done')
    return (
      <>
        {share} <Link to="/tunnel">{countedNoun(waitingCount, 'envelope')} queued</Link>.
      </>
    )
  return (
    <>
      {forwardingCount === 0 ? null : share} Add the old DSN as upstream of each project, so that both
      trackers have everything.
    </>
  )
}

/** True if SDKs send to Culvert. */
export function MoveText({ cutOver }: CutOverTextProps) {
  const { states, projectCount, receivingCount, firstUsedAt } = cutOver
  return (
    <>
      {projectCount > 0 && firstUsedAt === undefined ? 'Nothing received with an imported key yet. ' : null}
      {firstUsedAt === undefined ? null : (
        <>
          Received with an imported key: {shareText(receivingCount, projectCount)}, first{' '}
          <Time at={firstUsedAt} />.{' '}
        </>
      )}
      {states.move === 'done'
        ? null
        : 'Point the DNS name of the DSNs to this server, or change the host in the DSNs.'}
    </>
  )
}

/** True if both trackers have the same counts. */
export function CompareText({ cutOver }: CutOverTextProps) {
  const { states, projectCount, issueCount, differentCount, comparedAt, firstUsedAt } = cutOver
  if (projectCount > 0 && issueCount === 0)
    return 'A backup has no issues to compare. Import from the running tracker to compare counts.'
  const isEarly = states.compare !== 'done' && firstUsedAt !== undefined
  return (
    <>
      {comparedAt === undefined ? null : (
        <>
          <a href="#compared">{differenceText(differentCount, issueCount)}</a>, compared{' '}
          <Time at={comparedAt} />
          {isEarly ? ', before all projects had moved' : null}.{' '}
        </>
      )}
      {states.compare === 'done'
        ? 'Events between the first import and the move are missing here; the difference should not grow.'
        : 'Import again a few days after the move to compare the counts.'}
    </>
  )
}

/** True if the old tracker is still needed. */
export function StopText({ cutOver: { states, waitingCount } }: CutOverTextProps) {
  if (states.stop === 'done') return 'Forwarding has ended: you can stop the old tracker.'
  if (states.stop !== 'ready')
    return 'Needed until all projects receive events in Culvert and their counts are compared.'
  return (
    <>
      {waitingCount === 0 ? null : `${countedNoun(waitingCount, 'envelope')} queued for it. `}
      Change what else names the old tracker, such as sentry-cli in CI. Then remove the{' '}
      <Link to="/tunnel">upstreams</Link>.
    </>
  )
}

function shareText(count: number, total: number): string {
  return `${exactCount(count)} of ${countedNoun(total, 'project')}`
}

function differenceText(differentCount: number, issueCount: number): string {
  return differentCount === 0
    ? `The counts of ${countedNoun(issueCount, 'issue')} are equal`
    : `The counts of ${exactCount(differentCount)} of ${countedNoun(issueCount, 'issue')} differ`
}
