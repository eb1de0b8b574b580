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

/** The source locations of an event. */
export interface MappingResult {
  locations: MappedLocations
  /** Why files have no source, one entry per file. */
  problems: SourceMapProblem[]
}

/** An event to look up. */
export interface MappingSubject {
  projectId: number
  event: Event
  /** The event's payload. */
  payload: unknown
  /** Maximum time of the lookup. */
  waitMs: number
}

/** Finds the source locations of events. */
export interface SourceMaps {
  /** True if a project has source maps. In memory, and at most once a second from the database. */
  hasMaps(projectId: number): Promise<boolean>
  /** Never rejects: locations that are not found in time are problems. */
  findLocations(subject: MappingSubject): Promise<MappingResult>
  /** Call after maps were uploaded or deleted. */
  refresh(): Promise<void>
  close(): Promise<void>
}

interface SourceMapsOptions {
  store: Store
  reader: MapReader
  log: { warn: (fields: object, message: string) => void }
}

/** Loads the index of source maps. */
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
    async hasMaps(projectId) {
      if (index.find(projectId) === undefined) await index.refreshIfOld()
      return index.find(projectId) !== undefined
    },
    async findLocations({ projectId, event, payload, waitMs }) {
      const { release, dist } = event
      const files = listFiles(event, readDebugIds(payload))
      const hasMap = (file: FileQuestion) => isKnown(index.find(projectId), file, release)
      if (!files.every(hasMap)) await index.refreshIfOld()
      const question = { projectId, release, dist, files: files.filter(hasMap) }
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

function isKnown(mapped: MappedProject | undefined, { debugId }: FileQuestion, release?: string): boolean {
  if (mapped === undefined) return false
  if (debugId !== undefined && mapped.debugIds.has(debugId)) return true
  return release !== undefined && mapped.releases.has(release)
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
  // Code that is not minified needs no map, nor does library code.
  const needsMap = debugId !== undefined || isBuilt
  return problem === 'missing' && !needsMap ? undefined : { ...named, reason: problem }
}
