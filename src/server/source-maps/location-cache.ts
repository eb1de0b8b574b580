import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { FileAnswer, FileQuestion, MapQuestion } from './map-question.ts'

/** Caches recent answers for files, so that a flood of one error reads the map once. */
export interface LocationCache {
  /** The answer for a file, if all its locations are cached. */
  find(question: MapQuestion, file: FileQuestion): FileAnswer | undefined
  add(question: MapQuestion, file: FileQuestion, answer: FileAnswer): void
  clear(): void
}

/** Creates an empty cache of the last `limits.mappedLocations` requested locations. */
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

/** The frames of a file mostly occur in the same combinations, so they are cached together. */
function nameOf(
  { projectId, release, dist }: MapQuestion,
  { path, debugId, locations }: FileQuestion,
): string {
  return `${projectId} ${JSON.stringify([debugId, release, dist, path])} ${locations.join(' ')}`
}

/** An answer without locations also takes memory. */
function sizeOf(answer: FileAnswer): number {
  return answer.ok ? answer.locations.length + 1 : 1
}
