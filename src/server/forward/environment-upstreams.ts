import { parseDsn, formatDsn } from '#protocol/dsn.ts'
import { OperatorError } from '#server/errors.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { Store } from '#server/store/store.ts'
import { listUpstreams, updateUpstream, type Upstream } from '#server/store/upstreams/upstreams.ts'
import { addUpstream } from './add-upstream.ts'

/**
 * Updates the table of upstreams from the environment (`CULVERT_UPSTREAM_MY_SHOP_DSN` for the project
 * `my-shop`). An upstream that is no longer in it gets no new envelopes; its queue is still sent. Throws an
 * `OperatorError` for an unknown project and an invalid DSN.
 */
export async function applyEnvironmentUpstreams(
  store: Store,
  dsns: ReadonlyMap<string, string>,
  publicOrigin: string,
): Promise<void> {
  const projects = dsns.size === 0 ? [] : await listProjectNames(store.db)
  const named = [...dsns].map(([name, dsn]) => ({ name, dsn, project: findProject(projects, name) }))
  const known = await listUpstreams(store.db)
  // First, because a DSN may have moved from one project to another.
  for (const upstream of known) {
    const isNamed = named.some(
      ({ dsn, project }) => project?.id === upstream.projectId && parsedAs(dsn) === formatDsn(upstream.dsn),
    )
    if (upstream.source === 'environment' && !upstream.isRetired && !isNamed)
      await updateUpstream(store, upstream, { isRetired: true })
  }
  for (const { name, dsn: text, project } of named) {
    const dsn = parseDsn(text)
    const written = dsn && formatDsn(dsn)
    const isSame = (each: Upstream) =>
      formatDsn(each.dsn) === written && each.projectId === project?.id && !each.isRetired
    if (known.some(isSame)) continue
    const added =
      project &&
      (await addUpstream(store, { projectId: project.id, dsn: text, source: 'environment' }, publicOrigin))
    // Another process, which starts at the same time, may have been faster.
    if (added?.ok === true || (await listUpstreams(store.db)).some(isSame)) continue
    throw new OperatorError(
      `CULVERT_UPSTREAM_${name}_DSN cannot be used: ${added?.problem ?? 'unknown project. "culvert project list --json" shows the slugs; write one in upper case, with underscores.'}`,
      2,
    )
  }
}

function parsedAs(text: string): string | undefined {
  const dsn = parseDsn(text)
  return dsn && formatDsn(dsn)
}

function findProject(projects: readonly ProjectName[], name: string): ProjectName | undefined {
  return projects.find(({ slug }) => slug.toUpperCase().replaceAll('-', '_') === name)
}
