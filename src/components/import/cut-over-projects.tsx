import { describeUpstream } from '#components/tunnel/upstream-texts.ts'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { CutOverProjectView } from '#server/console/imports/views.ts'

/** The imported projects of a cut-over. Renders nothing if there are none. */
export function CutOverProjects({
  projects,
  otherCount,
}: {
  projects: readonly CutOverProjectView[]
  otherCount: number
}) {
  if (projects.length === 0) return null
  return (
    <ul className="similar-issues" aria-label="Imported projects">
      {projects.map((project) => (
        <li key={project.slug}>
          <Link to="/projects/$slug" params={{ slug: project.slug }}>
            {project.slug}
          </Link>
          <span className="quiet">
            <Received project={project} /> · <Upstreams project={project} /> · {issuesText(project)}
          </span>
        </li>
      ))}
      {otherCount === 0 ? null : <li className="quiet">and {countedNoun(otherCount, 'project')} more</li>}
    </ul>
  )
}

function Received({ project: { firstUsedAt, isWatched } }: { project: CutOverProjectView }) {
  if (firstUsedAt !== undefined)
    return (
      <>
        first received <Time at={firstUsedAt} />
      </>
    )
  return isWatched ? 'nothing received yet' : 'imported by version 0.2.0: import again to track its keys'
}

function Upstreams({ project: { slug, upstreams } }: { project: CutOverProjectView }) {
  const words = upstreams.map((upstream) => describeUpstream(upstream).word)
  return (
    <Link to="/projects/$slug/upstreams" params={{ slug }}>
      {words.length === 0 ? 'add an upstream' : `upstream ${[...new Set(words)].join(', ')}`}
    </Link>
  )
}

function issuesText({ issueCount, differentCount }: CutOverProjectView): string {
  if (issueCount === 0) return 'no issues to compare'
  if (differentCount === 0) return `${countedNoun(issueCount, 'issue')}, counts equal`
  return `${exactCount(differentCount)} of ${countedNoun(issueCount, 'issue')} differ`
}
