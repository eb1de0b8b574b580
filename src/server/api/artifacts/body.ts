import * as v from 'valibot'
import { limits } from '#server/limits.ts'

const checksum = v.pipe(
  v.string(),
  v.regex(/^[\da-f]{40}$/i, 'no SHA-1'),
  v.transform((text) => text.toLowerCase()),
)
const names = v.nullish(v.pipe(v.array(v.string()), v.maxLength(1_000)))

/** Requests the assembly of a bundle, or returns its missing chunks. */
export const assembleBody = v.object({
  checksum,
  chunks: v.pipe(v.array(checksum), v.minLength(1), v.maxLength(limits.chunksPerBundle)),
  projects: names,
  version: v.nullish(v.pipe(v.string(), v.maxLength(limits.releaseCharacters))),
  dist: v.nullish(v.pipe(v.string(), v.maxLength(limits.distCharacters))),
})
