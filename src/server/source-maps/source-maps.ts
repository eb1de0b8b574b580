import type { Event } from '#protocol/event.ts'
import type { MappedProject } from '#server/store/artifacts/mapped-projects.ts'
import type { SourceMapProblem } from '#server/store/artifacts/records.ts'
import type { Store } from '#server/store/store.ts'
import { createBundleUse } from './bundle-use.ts'
import { formatDebugId } from './debug-id.ts'
import { readDebugIds } from './debug-images.ts'
import { createLocationCache } from './location-cache.ts'
import { createMapIndex } from './map-index.ts'
import { listFiles, type FileAnswer, type FileQuestion, type MapReader } from './map-question.ts'
import { locationKey, type MappedLocation, type MappedLocations } from './mapped-location.ts'
import { createTimedReader } from './timed-reader.ts'

/** What source maps say of an event. */
export interface MappingResult {
  locations: MappedLocations
  /** Why code of the event has no source, a line for each file of it. */
  problems: SourceMapProblem[]
}

/** An event whose locations are looked for. */
export interface MappingSubject {
  projectId: number
  event: Event
  /** The payload that the event was read from. */
  payload: unknown
  /** How long that may take. */
  waitMs: number
}

/** Finds the source of the code that events tell of. */
export interface SourceMaps {
  /** True for a project with source maps. Costs a look into a map. */
  hasMaps(projectId: number): boolean
  /** Never rejects: what cannot be found in time is a problem. */
  findLocations(subject: MappingSubject): Promise<MappingResult>
  /** Call it when maps were uploaded or deleted. */
  refresh(): Promise<void>
  close(): Promise<void>
}

interface SourceMapsOptions {
  store: Store
  reader: MapReader
  log: { warn: (fields: object, message: string) => void }
}

/** Reads which code has maps, and answers from then on. */
export async function createSourceMaps({ store, reader, log }: SourceMapsOptions): Promise<SourceMaps> {
  const known = createLocationCache()
  const index = await createMapIndex(store, () => known.clear())
  const noteUse = createBundleUse(store)
  const ask = createTimedReader({
    reader,
    log,
    onAnswer(question, answers) {
      for (const [position, file] of question.files.entries()) {
        const answer = answers[position]
        if (answer !== undefined) known.add(question, file, answer)
      }
      noteUse(question.projectId, answers)
    },
  })

  return {
    hasMaps: (projectId) => index.find(projectId) !== undefined,
    async findLocations({ projectId, event, payload, waitMs }) {
      const { release, dist } = event
      const files = listFiles(event, readDebugIds(payload))
      const mapped = index.find(projectId)
      const question = {
        projectId,
        release,
        dist,
        files: files.filter((file) => mapped !== undefined && isKnown(mapped, file, release)),
      }
      const open = question.files.filter((file) => known.find(question, file) === undefined)
      const answers = open.length === 0 ? [] : await ask({ ...question, files: open }, waitMs)
      const answerOf = new Map(answers?.map((answer, position) => [open[position], answer]))
      return toResult(files, (file) => {
        if (!question.files.includes(file)) return { ok: false, problem: 'missing' }
        return answerOf.get(file) ?? known.find(question, file)
      })
    },
    async refresh() {
      await index.refresh()
      reader.prepare()
    },
    async close() {
      index.close()
      await reader.close()
    },
  }
}

function isKnown({ debugIds, releases }: MappedProject, { debugId }: FileQuestion, release?: string) {
  return debugId === undefined ? release !== undefined && releases.has(release) : debugIds.has(debugId)
}

function toResult(
  files: readonly FileQuestion[],
  find: (file: FileQuestion) => FileAnswer | undefined,
): MappingResult {
  const locations = new Map<string, MappedLocation>()
  const problems: SourceMapProblem[] = []
  for (const file of files) {
    const answer = find(file)
    const problem = findProblem(file, answer)
    if (problem !== undefined) problems.push(problem)
    if (answer?.ok !== true) continue
    for (const [position, [line, column]] of file.locations.entries()) {
      const location = answer.locations[position]
      if (location !== undefined) locations.set(locationKey({ path: file.path, line, column }), location)
    }
  }
  return { locations, problems }
}

function findProblem(file: FileQuestion, answer: FileAnswer | undefined): SourceMapProblem | undefined {
  const { path, debugId, isBuilt } = file
  const named = { path, ...(debugId !== undefined && { debugId: formatDebugId(debugId) }) }
  if (answer === undefined) return { ...named, reason: 'late' }
  if (answer.ok) {
    const unmappedCount = answer.locations.filter((location) => location === undefined).length
    return unmappedCount === 0 ? undefined : { ...named, reason: 'unmapped', unmappedCount }
  }
  const { problem } = answer
  // Code that nobody minified needs no map, and neither does a library's.
  const needsMap = debugId !== undefined || isBuilt
  return problem === 'missing' && !needsMap ? undefined : { ...named, reason: problem }
}
