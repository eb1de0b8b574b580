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
  // In the order of their last use, the oldest first.
  const held = new Map<string, FileAnswer>()
  let placeCount = 0

  function drop(name: string): void {
    placeCount -= sizeOf(held.get(name))
    held.delete(name)
  }

  return {
    find(question, file) {
      const name = nameOf(question, file)
      const answer = held.get(name)
      if (answer === undefined) return undefined
      held.delete(name)
      held.set(name, answer)
      return answer
    },
    add(question, file, answer) {
      const name = nameOf(question, file)
      drop(name)
      held.set(name, answer)
      placeCount += sizeOf(answer)
      for (const oldest of held.keys()) {
        if (placeCount <= limits.mappedPlaces) break
        drop(oldest)
      }
    },
    clear() {
      held.clear()
      placeCount = 0
    },
  }
}

/** The same frames of a file come together again and again, so they are remembered together. */
function nameOf({ projectId, release, dist }: MapQuestion, { path, debugId, places }: FileQuestion): string {
  const code = debugId ?? JSON.stringify([release, dist, path])
  return `${projectId} ${code} ${places.join(' ')}`
}

/** An answer without places takes some room as well. */
function sizeOf(answer: FileAnswer | undefined): number {
  if (answer === undefined) return 0
  return answer.ok ? answer.places.length + 1 : 1
}
