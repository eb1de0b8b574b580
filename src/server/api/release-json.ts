import type { ReleaseCommit } from '#server/store/release-changes.ts'
import type { DeployView, ReleaseSummary } from '#server/store/release-views.ts'

const iso = (at: number) => new Date(at).toISOString()
const orNull = (at: number | undefined) => (at === undefined ? null : iso(at))

/** A release of several projects as one, as Sentry's API has it. `summaries` are those of one version, at least one. */
export function toReleaseJson(
  summaries: readonly ReleaseSummary[],
  extra: { url?: string; ref?: string } = {},
) {
  const [first] = summaries
  if (first === undefined) throw new TypeError('a release is of at least one project')
  const firstEvents = summaries.flatMap(({ firstEventAt }) => firstEventAt ?? [])
  const lastEvents = summaries.flatMap(({ lastEventAt }) => lastEventAt ?? [])
  return {
    version: first.version,
    shortVersion: first.version,
    ref: extra.ref ?? null,
    url: extra.url ?? null,
    dateCreated: iso(Math.min(...summaries.map(({ datedAt }) => datedAt))),
    dateReleased: orNull(summaries.find(({ isFinalized }) => isFinalized)?.datedAt),
    firstEvent: orNull(firstEvents.length > 0 ? Math.min(...firstEvents) : undefined),
    lastEvent: orNull(lastEvents.length > 0 ? Math.max(...lastEvents) : undefined),
    newGroups: summaries.reduce((sum, { newIssueCount }) => sum + newIssueCount, 0),
    commitCount: 0,
    lastCommit: null,
    deployCount: summaries.some(({ lastDeploy }) => lastDeploy !== undefined) ? 1 : 0,
    lastDeploy: first.lastDeploy ? toDeployJson(first.lastDeploy) : null,
    authors: [],
    data: {},
    projects: summaries.map(({ project, newIssueCount }) => ({
      id: project.id,
      slug: project.slug,
      name: project.name,
      platform: project.platform ?? null,
      newGroups: newIssueCount,
    })),
  }
}

/** A deploy as Sentry's API has it. */
export function toDeployJson({ id, environment, name, url, startedAt, finishedAt }: DeployView) {
  return {
    id: String(id),
    environment,
    name: name ?? null,
    url: url ?? null,
    dateStarted: orNull(startedAt),
    dateFinished: iso(finishedAt),
  }
}

/** A commit as Sentry's API has it. */
export function toCommitJson({ id, message, authorName, authorEmail, committedAt }: ReleaseCommit) {
  return {
    id,
    message: message ?? null,
    dateCreated: orNull(committedAt),
    author: authorEmail === undefined ? null : { name: authorName ?? null, email: authorEmail },
  }
}
