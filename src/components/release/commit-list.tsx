import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { ReleaseView } from '#server/console/releases/views.ts'

/** The commits of a release, as reported by `sentry-cli releases set-commits`, latest first. */
export function CommitList({ view: { commits, commitCount } }: { view: ReleaseView }) {
  const isCut = commitCount > commits.length
  return (
    <Panel
      id="commits"
      title="Commits"
      note={
        isCut
          ? `the latest ${exactCount(commits.length)} of ${exactCount(commitCount)}`
          : countedNoun(commitCount, 'commit')
      }
    >
      <ol className="commit-list">
        {commits.map(({ id, subject, authorName, committedAt }) => (
          <li key={id}>
            <code title={id}>{id.slice(0, 12)}</code>
            <bdi>{subject}</bdi>
            <span className="quiet">
              <bdi>{authorName ?? ''}</bdi> {committedAt === undefined ? null : <Time at={committedAt} />}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
