import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, type ZstdOptions } from 'node:zlib'
import type { AttachmentRecord } from '#server/store/ingest/records.ts'

/** An attachment as received. */
export type SentAttachment = Omit<AttachmentRecord, 'byteCount' | 'contentHash' | 'data'> & {
  payload: Uint8Array
}

const compress = promisify<Uint8Array, ZstdOptions, Buffer>(zstdCompress)

/** The compression level of events. */
const options: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * Compresses attachments in the thread pool, because the transaction that writes them blocks the event loop.
 */
export function compressAttachments(attachments: readonly SentAttachment[]): Promise<AttachmentRecord[]> {
  return Promise.all(
    attachments.map(async ({ payload, ...attachment }) => ({
      ...attachment,
      byteCount: payload.byteLength,
      contentHash: hash('sha256', payload, 'hex').slice(0, 32),
      data: await compress(payload, options),
    })),
  )
}
