import { formatDsn, parseDsn } from '#protocol/dsn.ts'
import { OperatorError } from '#server/errors.ts'
import type { Store } from '#server/store/store.ts'
import { listUpstreams, type Upstream } from '#server/store/upstreams/upstreams.ts'
import { Problems, requireProject } from '../arguments.ts'

/** Parses `PROJECT [DSN]`: the project's text, and the upstream's if there is one. */
export function parseUpstreamArguments(
  positionals: readonly string[],
  usage: string,
): { project: string; upstream?: string } {
  const [project = '', upstream, ...more] = positionals
  const problems = new Problems()
  if (project === '' || more.length > 0)
    problems.add(
      'A project is needed, its id or its slug, and the DSN or id of one of its upstreams if it has several.',
    )
  problems.throwIfAny(usage)
  return { project, upstream }
}

/**
 * The upstream that the arguments name, or the project's only one. Throws an `OperatorError` if it is
 * ambiguous.
 */
export async function requireUpstream(
  store: Store,
  { project: projectText, upstream: text }: { project: string; upstream?: string },
): Promise<Upstream> {
  const project = await requireProject(store, projectText)
  const upstreams = (await listUpstreams(store.db)).filter(({ projectId }) => projectId === project.id)
  const dsn = text === undefined ? undefined : parseDsn(text)
  const named = upstreams.filter(
    (upstream) =>
      text === undefined ||
      upstream.upstreamId === text ||
      (dsn !== undefined && formatDsn(upstream.dsn) === formatDsn(dsn)),
  )
  const [only, another] = named
  if (only === undefined) {
    throw new OperatorError(
      text === undefined
        ? `Project ${project.slug} has no upstream. Add one: culvert upstream add ${project.slug} DSN`
        : `Project ${project.slug} has no upstream ${JSON.stringify(text)}. "culvert upstream list ${project.slug}" shows them.`,
    )
  }
  if (another !== undefined)
    throw new OperatorError(
      `Project ${project.slug} has ${named.length} upstreams: specify one by DSN or id. "culvert upstream list ${project.slug}" shows them.`,
    )
  return only
}
