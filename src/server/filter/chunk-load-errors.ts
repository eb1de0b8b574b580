import type { FilterSubject } from './filter-subject.ts'
import { compileGlobs } from './glob.ts'

/** Type and value of bundlers' errors when a deploy has removed code that a page loads. Sentry's list. */
const chunkLoadErrors = [
  // Webpack
  ['ChunkLoadError', 'Loading chunk *'],
  ['*Uncaught *', 'ChunkLoadError: Loading chunk *'],
  // Turbopack
  ['ChunkLoadError', 'Failed to load chunk *'],
  ['*Uncaught *', 'ChunkLoadError: Failed to load chunk *'],
  // Rejected promises
  ['Error', 'Uncaught (in promise): ChunkLoadError*'],
].map(([type = '', value = '']) => ({ type: compileGlobs([type]), value: compileGlobs([value]) }))

/** Every value contains this word, so that one test avoids ten patterns. */
const commonWord = /chunk/i

/** True if any exception of the event is a chunk that could not be loaded. */
export function isChunkLoadError({ exceptions = [] }: FilterSubject): boolean {
  return exceptions.some(
    ({ type = '', value = '' }) =>
      commonWord.test(value) &&
      chunkLoadErrors.some((pattern) => pattern.type.matches(type) && pattern.value.matches(value)),
  )
}
