import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { FileAnswer, FileQuestion, MapQuestion } from './map-question.ts'

/** What was answered of files lately: a flood of one error asks once. */
export interface PlaceCache {
  /** The answer of a file, when all its places are known. */
  find(question: MapQuestion, file: FileQuestion): FileAnswer | undefined
  add(question: MapQuestion, file: FileQuestion, answer: FileAnswer): void
  clear(): void
}

/** Creates an empty one; it holds `limits.mappedPlaces`, those asked for last. */
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

/** The same frames of a file come together again and again, so they are remembered together. */
function nameOf({ projectId, release, dist }: MapQuestion, { path, debugId, places }: FileQuestion): string {
  const code = debugId ?? JSON.stringify([release, dist, path])
  return `${projectId} ${code} ${places.join(' ')}`
}

/** An answer without places takes some room as well. */
function sizeOf(answer: FileAnswer): number {
  return answer.ok ? answer.places.length + 1 : 1
}
