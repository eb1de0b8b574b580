import { fixtureProject } from './start-server.ts'

interface Sent {
  /** Default: the project of every test server. */
  project?: { id: number | string; publicKey: string } | undefined
  headers?: Record<string, string> | undefined
}

/** Posts an envelope to a project, like an SDK. */
export function postEnvelope(
  origin: string,
  body: string | Uint8Array,
  { project: { id, publicKey } = fixtureProject, headers = {} }: Sent = {},
): Promise<Response> {
  return fetch(`${origin}/api/${id}/envelope/?sentry_key=${publicKey}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : Buffer.from(body),
    headers,
  })
}
