import type { Definition } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { ReleaseView } from '#server/console/releases/views.ts'

/** The properties of a release, as names and values. */
export function releaseFacts({ release, url, ref, artifactCount }: ReleaseView): Definition[] {
  const { firstEventAt, lastEventAt, environments } = release
  return [
    {
      term: release.isFinalized ? 'Released' : 'Created',
      // An event may have occurred before the first received one.
      description: (
        <Time
          at={release.isFinalized ? release.datedAt : Math.min(release.datedAt, firstEventAt ?? Infinity)}
        />
      ),
    },
    ...(release.isArchived === true ? [{ term: 'Status', description: 'archived' }] : []),
    { term: 'Events', description: exactCount(release.eventCount) },
    ...(firstEventAt === undefined ? [] : [{ term: 'First event', description: <Time at={firstEventAt} /> }]),
    ...(lastEventAt === undefined ? [] : [{ term: 'Last event', description: <Time at={lastEventAt} /> }]),
    ...(environments.length === 0
      ? []
      : [{ term: 'Environments', description: <bdi>{environments.join(', ')}</bdi> }]),
    ...(ref === undefined
      ? []
      : [
          {
            term: 'Commit',
            description: (
              <code>
                <bdi>{ref}</bdi>
              </code>
            ),
          },
        ]),
    {
      term: 'Source maps',
      description: (
        <Link
          to="/projects/$slug/source-maps"
          params={{ slug: release.project.slug }}
          search={{ release: release.version }}
        >
          {artifactCount === 0 ? 'No source maps' : countedNoun(artifactCount, 'file')}
        </Link>
      ),
    },
    ...(url === undefined ? [] : [{ term: 'Details', description: <a href={url}>{url}</a> }]),
  ]
}
