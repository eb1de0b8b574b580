/** The parts of a DSN that a command without an SDK needs. */
export interface DsnParts {
  /** The URL to which envelopes are posted. */
  envelopeUrl: string
  publicKey: string
}

/** Splits a DSN; undefined for other texts. A path before the project's number (`/prefix`) is kept. */
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
