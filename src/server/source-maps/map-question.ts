import type { Event, Frame } from '#protocol/event.ts'
import type { DebugIds } from './debug-images.ts'
import { eventFrames } from './event-frames.ts'
import type { MappedPlace } from './mapped-place.ts'

/** What is asked of the maps of a project. */
export interface MapQuestion {
  projectId: number
  release?: string
  dist?: string
  files: FileQuestion[]
}

/** Places of one file of code that ran. */
export interface FileQuestion {
  /** URL or path, as the frames name it. */
  path: string
  /** 32 lower-case hex digits. */
  debugId?: string
  /** 1-based. */
  places: [line: number, column: number][]
}

/** Why a file's places are not mapped: there is no map of it, or it is no map, or too large to be read. */
export type FileProblem = 'missing' | 'unreadable' | 'too-large'

/** What the maps say of a file: a source for each place, or none. */
export type FileAnswer =
  | { ok: true; bundleId: number; places: (MappedPlace | undefined)[] }
  | { ok: false; problem: FileProblem }

/** Answers what is asked of the maps of one project, file by file, in the order of the question. */
export interface MapReader {
  ask(question: MapQuestion): Promise<FileAnswer[]>
  /** Questions are to be expected: maps were uploaded. */
  prepare(): void
  close(): Promise<void>
}

const javascriptPlatforms = new Set(['javascript', 'node'])

/** The places of an event's frames of JavaScript, each once. */
export function listFiles(event: Event, debugIds: DebugIds): FileQuestion[] {
  const files = new Map<string, FileQuestion & { seen: Set<string> }>()
  for (const frame of eventFrames(event)) {
    const path = frame.absPath ?? frame.filename
    const { lineNumber: line, columnNumber: column } = frame
    if (path === undefined || line === undefined || column === undefined) continue
    if (!javascriptPlatforms.has(frame.platform ?? event.platform)) continue
    const file = files.get(path) ?? createFile(frame, path, debugIds)
    files.set(path, file)
    const place = `${line}:${column}`
    if (file.seen.has(place)) continue
    file.seen.add(place)
    file.places.push([line, column])
  }
  return [...files.values()].map(({ seen: _seen, ...file }) => file)
}

function createFile({ filename }: Frame, path: string, debugIds: DebugIds) {
  const debugId = debugIds.get(path) ?? (filename === undefined ? undefined : debugIds.get(filename))
  return { path, places: [], seen: new Set<string>(), ...(debugId !== undefined && { debugId }) }
}
