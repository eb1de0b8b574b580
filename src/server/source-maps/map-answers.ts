import type { Connection } from '#server/store/engine/connection.ts'
import { createMapCache } from './map-cache.ts'
import { createMapFiles } from './map-files.ts'
import type { FileAnswer, FileQuestion, MapQuestion } from './map-question.ts'
import { readSourceMap } from './source-map.ts'

/** Looks up locations in the maps of a database. Recent maps are cached. */
export type MapAnswers = (question: MapQuestion) => FileAnswer[]

/** Creates the lookup on a reading connection. `cacheBytes`: maximum size of cached maps. */
export function createMapAnswers(connection: Connection, cacheBytes?: number): MapAnswers {
  const files = createMapFiles(connection)
  const cache = createMapCache(cacheBytes)

  function answerFile(question: MapQuestion, { path, debugId, locations }: FileQuestion): FileAnswer {
    const { projectId, release, dist } = question
    const file = files.find({
      projectId,
      path,
      debugId,
      release,
      dist,
    })
    if (file === undefined) return { ok: false, problem: 'missing' }
    const result = cache.find(file.name, () => readSourceMap(file.read()))
    if (!result.ok) return { ok: false, problem: result.failure }
    const { map } = result
    return {
      ok: true,
      bundleId: file.bundleId,
      locations: locations.map(([line, column]) => map.find(line, column)),
    }
  }

  return (question) => question.files.map((file) => answerFile(question, file))
}
