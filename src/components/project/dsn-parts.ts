/** The parts of a DSN that a command without an SDK needs. */
export interface DsnParts {
  /** Where envelopes are POSTed. */
  envelopeUrl: string
  publicKey: string
}

/**
 * The parts of a DSN, or undefined when it is none. The path before the project's number stays (`/prefix`).
 */
export function dsnParts(dsn: string): DsnParts | undefined {
  if (!URL.canParse(dsn)) return undefined
  const url = new URL(dsn)
  const segments = url.pathname.split('/')
  const projectId = segments.pop()
  if (url.username === '' || projectId === undefined || projectId === '') return undefined
  return {
    envelopeUrl: `${url.protocol}//${url.host}${segments.join('/')}/api/${projectId}/envelope/`,
    publicKey: url.username,
  }
}
