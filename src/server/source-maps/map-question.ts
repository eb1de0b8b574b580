import type { Event, Frame } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import type { DebugIds } from './debug-images.ts'
import { eventFrames } from './event-frames.ts'
import type { MappedLocation } from './mapped-location.ts'

/** A lookup in the maps of a project. */
export interface MapQuestion {
  projectId: number
  release?: string
  dist?: string
  files: FileQuestion[]
}

/** Locations in one built file. */
export interface FileQuestion {
  /** URL or path, as frames contain it. */
  path: string
  /** 32 lower-case hex digits. */
  debugId?: string
  /** 1-based. */
  locations: [line: number, column: number][]
  /** True for minified in-app code, according to its frames: it needs a map. */
  isBuilt: boolean
}

/** The reason why a file is not mapped: no map, an invalid one, or one that is too large. */
export type FileProblem = 'missing' | 'unreadable' | 'too-large'

/** The result for a file: a source location, or undefined, for each of its locations. */
export type FileAnswer =
  | { ok: true; bundleId: number; locations: (MappedLocation | undefined)[] }
  | { ok: false; problem: FileProblem }

/** Looks up locations in the maps of one project. Results are in the order of the files. */
export interface MapReader {
  ask(question: MapQuestion): Promise<FileAnswer[]>
  /** Prepares for lookups after an upload. */
  prepare(): void
  close(): Promise<void>
}

const javascriptPlatforms = new Set(['javascript', 'node'])

/** The distinct locations of an event's JavaScript frames, by file. */
export function listFiles(event: Event, debugIds: DebugIds): FileQuestion[] {
  const files = new Map<string, FileFacts>()
  for (const frame of eventFrames(event)) {
    const path = frame.absPath ?? frame.filename
    const { lineNumber: line, columnNumber: column } = frame
    if (path === undefined || line === undefined || column === undefined) continue
    if (!javascriptPlatforms.has(frame.platform ?? event.platform)) continue
    const file = files.get(path) ?? createFile(frame, path, debugIds)
    files.set(path, file)
    file.isOwn ||= frame.inApp !== false && !libraryFolder.test(path)
    file.hasLongLine ||= column > limits.plainCodeColumns
    file.hasPlainLines ||= hasPlainLines(frame)
    file.question.isBuilt = file.isOwn && file.hasLongLine && !file.hasPlainLines
    const location = `${line}:${column}`
    if (file.seen.has(location)) continue
    file.seen.add(location)
    file.question.locations.push([line, column])
  }
  return [...files.values()].map(({ question }) => question)
}

/** Facts about one file from its frames so far. */
interface FileFacts {
  question: FileQuestion
  seen: Set<string>
  /** In-app code. */
  isOwn: boolean
  hasLongLine: boolean
  hasPlainLines: boolean
}

function createFile({ filename }: Frame, path: string, debugIds: DebugIds): FileFacts {
  const debugId = debugIds.get(path) ?? (filename === undefined ? undefined : debugIds.get(filename))
  return {
    question: { path, locations: [], isBuilt: false, debugId },
    seen: new Set(),
    isOwn: false,
    hasLongLine: false,
    hasPlainLines: false,
  }
}

const libraryFolder = /(?:^|[\\/])node_modules[\\/]/

const comment = /^\s*(?:\/\/|\/\*|\*)/

/**
 * True if the lines around a frame are short: a single long line does not mean minified code. Ignores
 * comments, which minifiers keep at the start and end.
 */
function hasPlainLines({ preContext = [], postContext = [] }: Frame): boolean {
  const lines = [...preContext, ...postContext].filter((line) => line.trim() !== '' && !comment.test(line))
  const shortCount = lines.filter((line) => line.length <= limits.plainLineCharacters).length
  return lines.length >= 2 && shortCount * 3 >= lines.length * 2
}
