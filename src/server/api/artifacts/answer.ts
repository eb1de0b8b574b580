import * as v from 'valibot'
import { count, anyText } from '#server/api/answer-schema.ts'

/** Options of chunk uploads. */
export const uploadOptionsAnswer = v.strictObject({
  url: anyText,
  chunkSize: count,
  chunksPerRequest: count,
  maxRequestSize: count,
  maxFileSize: count,
  maxWait: count,
  concurrency: count,
  hashAlgorithm: anyText,
  compression: v.array(anyText),
  accept: v.array(anyText),
})

/** Confirms a chunk upload. */
export const chunksAcceptedAnswer = v.strictObject({})

/** State of assembling a bundle. */
export const assembleAnswer = v.strictObject({
  state: v.picklist(['not_found', 'assembling', 'ok', 'error']),
  missingChunks: v.array(anyText),
  detail: v.optional(anyText),
})
