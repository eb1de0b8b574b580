import type { Event, Frame } from '#protocol/event.ts'
import { limits } from '#server/limits.ts'
import type { DebugIds } from './debug-images.ts'
import { eventFrames } from './event-frames.ts'
import type { MappedLocation } from './mapped-location.ts'

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
  locations: [line: number, column: number][]
  /** Minified code of the application, as far as its frames tell: without a map its source is missing. */
  isBuilt: boolean
}

/** Why a file's locations are not mapped: there is no map of it, or it is no map, or too large to be read. */
export type FileProblem = 'missing' | 'unreadable' | 'too-large'

/** What the maps say of a file: a source for each location, or none. */
export type FileAnswer =
  | { ok: true; bundleId: number; locations: (MappedLocation | undefined)[] }
  | { ok: false; problem: FileProblem }

/** Answers what is asked of the maps of one project, file by file, in the order of the question. */
export interface MapReader {
  ask(question: MapQuestion): Promise<FileAnswer[]>
  /** Questions are to be expected: maps were uploaded. */
  prepare(): void
  close(): Promise<void>
}

const javascriptPlatforms = new Set(['javascript', 'node'])

/** The locations of an event's frames of JavaScript, each once. */
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

/** What the frames of one file tell so far. */
interface FileFacts {
  question: FileQuestion
  seen: Set<string>
  /** Code of the application, not of a library. */
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
 * True where the lines around a frame are short, as people write them: one long line among them makes no
 * minified file. Comments do not count, minifiers keep those at the beginning and the end.
 */
function hasPlainLines({ preContext = [], postContext = [] }: Frame): boolean {
  const lines = [...preContext, ...postContext].filter((line) => line.trim() !== '' && !comment.test(line))
  const shortCount = lines.filter((line) => line.length <= limits.plainLineCharacters).length
  return lines.length >= 2 && shortCount * 3 >= lines.length * 2
}
