import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { FileAnswer, FileQuestion, MapQuestion } from './map-question.ts'

/** Cached lookups per file: a flood of one error causes one lookup. */
export interface PlaceCache {
  /** The cached result of a file with exactly these locations. */
  find(question: MapQuestion, file: FileQuestion): FileAnswer | undefined
  add(question: MapQuestion, file: FileQuestion, answer: FileAnswer): void
  clear(): void
}

/** Creates an empty cache of the `limits.mappedPlaces` most recently used locations. */
export function createPlaceCache(): PlaceCache {
  const answers = new BoundedMap<string, FileAnswer>(limits.mappedPlaces, sizeOf)
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

/** The locations of a file form one key, because they recur together. */
function nameOf({ projectId, release, dist }: MapQuestion, { path, debugId, places }: FileQuestion): string {
  const code = debugId ?? JSON.stringify([release, dist, path])
  return `${projectId} ${code} ${locations.join(' ')}`
}

/** Results without locations take space too. */
function sizeOf(answer: FileAnswer): number {
  return answer.ok ? answer.locations.length + 1 : 1
}
