import * as v from 'valibot'
import { count, text } from '#server/api/answer-schema.ts'

/** How files are uploaded. */
export const uploadOptionsAnswer = v.strictObject({
  url: text,
  chunkSize: count,
  chunksPerRequest: count,
  maxRequestSize: count,
  maxFileSize: count,
  maxWait: count,
  concurrency: count,
  hashAlgorithm: text,
  compression: v.array(text),
  accept: v.array(text),
})

/** That parts were taken. */
export const chunksTakenAnswer = v.strictObject({})

/** What became of the parts of a bundle. */
export const assembleAnswer = v.strictObject({
  state: v.picklist(['not_found', 'assembling', 'ok', 'error']),
  missingChunks: v.array(text),
  detail: v.optional(text),
})
