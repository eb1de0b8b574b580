import type { Frame, StackTrace } from '#protocol/event.ts'
import { isJsonObject, type Json } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { isEmpty, nonEmpty } from '#server/normalize/emptiness.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { allowedFrames, type FrameList } from '#server/normalize/frame-allowance.ts'
import type { FrameCache } from '#server/normalize/frame-cache.ts'
import { createSmallBudget } from '#server/normalize/free-form-json.ts'
import { cleanText } from '#server/normalize/text.ts'

/**
 * Reads `stacktrace`; undefined if all frames are empty.
 *
 * A trace that is too long keeps its in-app frames and both ends; only some of the kept frames keep variables
 * and source lines, see `limits.frames` and `limits.detailedFrames`.
 */
export function readStackTrace(owner: FieldReader, key: string): StackTrace | undefined {
  const trace = owner.source[key]
  if (trace === undefined || trace === null) return undefined
  // Some SDKs send only the list of frames.
  const list = Array.isArray(trace) ? trace : owner.object(key)?.list('frames')
  if (list === undefined || list.length === 0) return undefined
  const { cache } = owner
  if (owner.isForIndex && cache?.frames.areShared(list) === true)
    return readShared({ owner, key, list, cache: cache.frames })
  return readList(owner, key, list)
}

interface SharedList {
  owner: FieldReader
  key: string
  list: Json[]
  cache: FrameCache
}

function readShared({ owner, key, list, cache }: SharedList): StackTrace | undefined {
  const before = cache.traces.get(list)
  // A new trace object, because each event has its own results of stack trace rules.
  if (before !== undefined) return { ...before }
  const { errorCount } = owner
  const trace = readList(owner, key, list)
  // Frames with field errors are read again, so that each event records the errors.
  if (trace === undefined || owner.errorCount !== errorCount) return trace
  cache.traces.set(list, trace)
  cache.groupings.set(trace.frames, undefined)
  return { ...trace }
}

function readList(owner: FieldReader, key: string, list: Json[]): StackTrace | undefined {
  const holder = owner.within(owner.source, `${key}.frames`)
  const kept = allowedFrames(toFrameList(list), limits.frames)
  if (kept !== undefined) holder.note('', 'too_many')
  return readFrames(holder, list, kept ?? [...list.keys()])
}

function readFrames(holder: FieldReader, list: Json[], kept: number[]): StackTrace | undefined {
  const detailed = allowedFrames(toFrameList(kept.map((index) => list[index])), limits.detailedFrames)
  const detailedPositions = detailed === undefined ? undefined : new Set(detailed)
  const frames: Frame[] = []
  for (const [position, index] of kept.entries()) {
    const source = list[index]
    if (!isJsonObject(source)) continue
    const isDetailed = detailedPositions === undefined || detailedPositions.has(position)
    const frame = readFrame(holder.within(source, String(index)), isDetailed)
    if (frame !== undefined) frames.push(frame)
  }
  return frames.length === 0 ? undefined : { frames }
}

/** Reads one frame; undefined if it is empty. `isDetailed`: with variables and source lines. */
export function readFrame(reader: FieldReader, isDetailed: boolean): Frame | undefined {
  const frame: Frame = {}
  readNames(reader, frame)
  readLocation(reader, frame)
  const platform = reader.text('platform', limits.nameCharacters)
  const inApp = reader.flag('in_app')
  const contextLine = readLine(reader.source['context_line'])
  if (platform !== undefined) frame.platform = platform
  if (inApp !== undefined) frame.inApp = inApp
  if (contextLine !== undefined) frame.contextLine = contextLine
  // A frame with only details is kept.
  if (isDetailed && (!reader.isForIndex || isEmpty(frame))) readDetails(reader, frame)
  return nonEmpty(frame)
}

function toFrameList(list: readonly (Json | undefined)[]): FrameList {
  return {
    length: list.length,
    isInApp: (index) => {
      const frame = list[index]
      return isJsonObject(frame) && frame['in_app'] === true
    },
  }
}

function readNames(reader: FieldReader, frame: Frame): void {
  const name = known(reader.text('function', limits.symbolCharacters))
  const rawName = known(reader.text('raw_function', limits.symbolCharacters))
  const module = reader.text('module', limits.symbolCharacters)
  const packageName = reader.text('package', limits.pathCharacters)
  const symbol = known(reader.text('symbol', limits.symbolCharacters))
  if (name !== undefined) frame.function = name
  if (rawName !== undefined) frame.rawFunction = rawName
  if (module !== undefined) frame.module = module
  if (packageName !== undefined) frame.package = packageName
  if (symbol !== undefined) frame.symbol = symbol
}

/** SDKs write `?` for a function without a name; Relay drops it as well. */
function known(name: string | undefined): string | undefined {
  return name === '?' ? undefined : name
}

function readLocation(reader: FieldReader, frame: Frame): void {
  const sentFilename = reader.text('filename', limits.pathCharacters)
  const absPath = reader.text('abs_path', limits.pathCharacters) ?? sentFilename
  // As in Relay: if one of the two is missing, it is derived from the other, and a URL's file name is its
  // path.
  const filename = sentFilename === undefined || sentFilename === absPath ? urlPath(absPath) : sentFilename
  const lineNumber = reader.count('lineno')
  const columnNumber = reader.count('colno')
  const address = reader.text('instruction_addr', limits.nameCharacters)
  if (filename !== undefined) frame.filename = filename
  if (absPath !== undefined) frame.absPath = absPath
  // Lines and columns are 1-based; SDKs write 0 for unknown ones.
  if (lineNumber !== undefined && lineNumber > 0) frame.lineNumber = lineNumber
  if (columnNumber !== undefined && columnNumber > 0) frame.columnNumber = columnNumber
  if (address !== undefined) frame.instructionAddress = address
}

/** The path of a URL, without query and fragment; other texts, and URLs without a path, are unchanged. */
function urlPath(location: string | undefined): string | undefined {
  if (location === undefined) return undefined
  const scheme = location.indexOf('://')
  if (scheme === -1) return location
  const start = location.indexOf('/', scheme + 3)
  if (start === -1 || start === location.length - 1) return location
  const path = location.slice(start)
  const end = path.search(/[?#]/)
  if (end === -1) return path
  return end > 1 ? path.slice(0, end) : location
}

function readDetails(reader: FieldReader, frame: Frame): void {
  const before = readLines(reader, 'pre_context', -limits.contextLines)
  const after = readLines(reader, 'post_context', limits.contextLines)
  if (before !== undefined) frame.preContext = before
  if (after !== undefined) frame.postContext = after
  const vars = reader.json('vars', createSmallBudget())
  if (vars !== undefined) frame.vars = vars
}

/** The source lines under `key`: the first `count`, or the last ones if it is negative. */
function readLines(reader: FieldReader, key: string, count: number): string[] | undefined {
  const list = reader.list(key)
  if (list === undefined || list.length === 0) return undefined
  const nearest = list.length <= Math.abs(count) ? list : count < 0 ? list.slice(count) : list.slice(0, count)
  return nearest.map((line) => readLine(line) ?? '')
}

/** An empty source line is valid, and not a missing one. */
function readLine(line: Json | undefined): string | undefined {
  if (typeof line === 'string') return cleanText(line, limits.contextLineCharacters)
  return typeof line === 'number' || typeof line === 'boolean' ? String(line) : undefined
}
