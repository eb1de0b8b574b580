import { limits } from '#server/limits.ts'

/**
 * Limits of a project for data that any client with a DSN can send. Bounds a flood between two runs of
 * retention.
 */
export interface StoreBounds {
  /** Bytes of envelopes that wait for one upstream. */
  outboxBytes: number
  /** Bytes of all attachments of one project, as stored. */
  attachmentBytes: number
}

/**
 * The bounds of a database with this maximum size: a share of it each, and never more than their own limit.
 */
export function toStoreBounds(maxBytes: number): StoreBounds {
  const share = Math.floor(maxBytes * limits.boundedShare)
  return {
    outboxBytes: Math.min(limits.outboxBytes, share),
    attachmentBytes: Math.min(limits.attachmentBytesPerProject, share),
  }
}
