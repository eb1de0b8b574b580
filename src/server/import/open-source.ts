import { toConnectionTarget } from '#server/alerts/channels/http/send-json.ts'
import type { SecretBox } from '#server/alerts/channels/secret-box.ts'
import { OperatorError } from '#server/errors.ts'
import type { UpstreamConnections } from '#server/forward/connection.ts'
import type { JobRun } from './job-run.ts'
import type { ImportSource } from './plan.ts'
import { createBugsinkApi } from './sources/bugsink-api.ts'
import { createSentryApi } from './sources/sentry-api.ts'
import { SourceClient, type SourceFetch } from './sources/source-client.ts'

/** Opens the tracker of a job; undefined for a backup. Throws an `OperatorError` for an unreadable token. */
export function openSource(
  run: JobRun,
  { connections, box }: { connections: UpstreamConnections; box: SecretBox },
): ImportSource | undefined {
  const { id, source } = run.job
  if (source.url === '') return undefined
  const token = box.open(source.sealedToken, `import ${id}`)
  if (token === undefined)
    throw new OperatorError(
      'The token cannot be read: the secret of the installation has changed. Start again.',
    )
  const client = new SourceClient({
    url: source.url,
    token,
    report: (text) => {
      run.job = { ...run.job, progress: text.trim() }
    },
    fetch: createCheckedFetch(connections),
    signal: run.signal,
  })
  const organization = source.organization === '' ? undefined : source.organization
  return source.tracker === 'bugsink'
    ? createBugsinkApi({ client, projects: [] })
    : createSentryApi({ client, kind: source.tracker, organization, projects: [] })
}

/** Applies the address rule of alert destinations: an admin is not the operator. */
function createCheckedFetch(connections: UpstreamConnections): SourceFetch {
  return async (url, init) => {
    const { fetch: send } = await import('undici')
    const dispatcher = await connections.poolOf(toConnectionTarget(url))
    return send(url, { ...init, dispatcher })
  }
}
