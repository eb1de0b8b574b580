import * as v from 'valibot'
import { count, anyText } from '#server/api/answer-schema.ts'

/** How files are uploaded. */
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

/** The answer to accepted chunks. */
export const chunksAcceptedAnswer = v.strictObject({})

/** What became of the parts of a bundle. */
export const assembleAnswer = v.strictObject({
  state: v.picklist(['not_found', 'assembling', 'ok', 'error']),
  missingChunks: v.array(anyText),
  detail: v.optional(anyText),
})
