import type { RejectionReason } from '#protocol/rejection.ts'

/**
 * Which endpoint a path names. `project` is the path's own text; absent on the legacy `/api/store/`.
 * `unsupported` is an endpoint of Sentry's that Culvert does not have.
 */
export type IngestTarget =
  | { route: 'envelope' | 'security' | 'otlp-traces'; project: string }
  | { route: 'store'; project?: string }
  | { route: 'attachments'; project: string; eventId: string }
  /** A check-in of a monitor. The key may be in the path, or where other requests have it. */
  | { route: 'cron'; project: string; slug: string; publicKey?: string }
  /** The same as healthchecks.io takes it. `verb`: `start`, `fail`, `log` or an exit status. */
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
      /** `overload`: the memory for bodies is exhausted at the moment. */
      reason: RejectionReason | 'overload'
      problem: string
      headers?: Readonly<Record<string, string>>
    }

/** A request as `receive` sees it, independent of the transport. */
export interface IngestRequest {
  method: string
  target: IngestTarget
  /** Without the question mark, still percent-encoded. */
  query: string
  /** By lower-case name. */
  header: (name: string) => string | undefined
  /** A valid IP address, or absent. */
  clientAddress?: string
  /** Called at most once, and only after what can be checked without the body was in order. */
  readBody: () => Promise<BodyResult>
}
