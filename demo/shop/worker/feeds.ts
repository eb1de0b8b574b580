import { gunzipSync } from 'node:zlib'
import * as Sentry from '@sentry/node'

/** Reads a supplier's price feed; some suppliers do not compress theirs. */
export function readFeed(bytes: Uint8Array): string {
  return gunzipSync(bytes).toString('utf8')
}

/** Reports a queue that grows faster than it is processed. */
export function checkBacklog(queue: string, waiting: number): void {
  if (waiting < 1000) return
  Sentry.captureMessage('Queue is falling behind', { level: 'warning', tags: { queue }, extra: { waiting } })
}

/** Creates a thumbnail in the background: its errors are not caught. */
export function scheduleThumbnail(size: number): void {
  setImmediate(() => {
    Buffer.alloc(size)
  })
}
