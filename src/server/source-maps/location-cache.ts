import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { FileAnswer, FileQuestion, MapQuestion } from './map-question.ts'

/** Recent answers for files, so that a flood of one error reads the map once. */
export interface LocationCache {
  /** The answer of a file, when all its locations are known. */
  find(question: MapQuestion, file: FileQuestion): FileAnswer | undefined
  add(question: MapQuestion, file: FileQuestion, answer: FileAnswer): void
  clear(): void
}

/** Creates an empty one; it holds the last `limits.mappedLocations` locations that were requested. */
export function createLocationCache(): LocationCache {
  const answers = new BoundedMap<string, FileAnswer>(limits.mappedLocations, sizeOf)
  return {
    find: (question, file) => answers.get(nameOf(question, file)),
    add(question, file, answer) {
      answers.set(nameOf(question, file), answer)
    },
    clear() {
      answers.clear()
    },
  }
}

/** The same frames of a file occur together again and again, so they are cached together. */
function nameOf(
  { projectId, release, dist }: MapQuestion,
  { path, debugId, locations }: FileQuestion,
): string {
  const code = debugId ?? JSON.stringify([release, dist, path])
  return `${projectId} ${code} ${locations.join(' ')}`
}

/** An answer without locations takes some room as well. */
function sizeOf(answer: FileAnswer): number {
  return answer.ok ? answer.locations.length + 1 : 1
}
