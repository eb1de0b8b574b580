import type { RejectionReason } from '#protocol/rejection.ts'

/**
 * The endpoint of a path. `project` is the text in the path; absent on the legacy `/api/store/`.
 * `unsupported` is an endpoint of Sentry's that Culvert does not have.
 */
export type IngestTarget =
  | { route: 'envelope' | 'security' | 'otlp-traces'; project: string }
  | { route: 'store'; project?: string }
  | { route: 'attachments'; project: string; eventId: string }
  /** A check-in of a monitor. The key can be in the path, or as for other requests. */
  | { route: 'cron'; project: string; slug: string; publicKey?: string }
  /** The same in the format of healthchecks.io. `verb`: `start`, `fail`, `log` or an exit status. */
  | { route: 'ping'; publicKey: string; slug: string; verb?: string }
  | { route: 'report-dialog' }
  | { route: 'unsupported'; project: string }
  | { route: 'tunnel' }

/** A complete decoded body, or the rejection of its request. `headers` give the client details. */
export type BodyResult =
  | { ok: true; bytes: Buffer }
  | {
      ok: false
      status: number
      /** `overload`: the memory for bodies is currently exhausted. */
      reason: RejectionReason | 'overload'
      problem: string
      headers?: Readonly<Record<string, string>>
    }

/** A request to `receive`, independent of the transport. */
export interface IngestRequest {
  method: string
  target: IngestTarget
  /** Without the question mark, still percent-encoded. */
  query: string
  /** By lower-case name. */
  header: (name: string) => string | undefined
  /** A valid IP address, or absent. */
  clientAddress?: string
  /** Called at most once, and only after every check that does not need the body. */
  readBody: () => Promise<BodyResult>
}

/** The content type of a request in lower case, without its parameters; empty if the request has none. */
export function mediaTypeOf({ header }: IngestRequest): string {
  return header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
