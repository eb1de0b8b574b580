import {
  FlattenMap,
  isIgnored,
  originalPositionFor,
  sourceContentFor,
  type TraceMap,
} from '@jridgewell/trace-mapping'
import { limits } from '#server/limits.ts'
import type { MappedLocation } from './mapped-location.ts'
import { parseSourceMap, type ParsedMap } from './parse-source-map.ts'
import { findCalleeName, findSourceLines } from './source-lines.ts'
import { isLibrarySource, toSourcePath } from './source-path.ts'

/** A source map that has been read. */
export interface SourceMap {
  /** What it takes of memory, about. */
  memoryBytes: number
  /**
   * The source of a location; line and column are 1-based. Undefined where the map has none. Never throws.
   */
  find(line: number, column: number): MappedLocation | undefined
}

/** A map, or why it is none: `too-large` is over `limits.sourceMapSegments`. */
export type SourceMapResult =
  | { ok: true; map: SourceMap }
  | { ok: false; failure: 'unreadable' | 'too-large' }

/** What one segment takes once it is decoded (measured: 93). */
const segmentBytes = 100

/** Reads a source map. Never throws, and takes no more memory than its limits allow. */
export function readSourceMap(text: string): SourceMapResult {
  const parsed = parseSourceMap(text)
  if (!parsed.ok) return parsed
  const traced = toTraceMap(parsed.map)
  if (traced === undefined) return { ok: false, failure: 'unreadable' }
  const memoryBytes = text.length * 2 + parsed.segmentCount * segmentBytes
  return { ok: true, map: { memoryBytes, find: (line, column) => findLocation(traced, line, column) } }
}

/**
 * The library decodes the mappings of a map with the first question, and sections at once; either can throw.
 */
function toTraceMap(map: ParsedMap): TraceMap | undefined {
  try {
    const traced = new FlattenMap(map)
    originalPositionFor(traced, { line: 1, column: 0 })
    return traced
  } catch {
    return undefined
  }
}

function findLocation(map: TraceMap, line: number, column: number): MappedLocation | undefined {
  if (!(line >= 1) || !(column >= 1)) return undefined
  const found = originalPositionFor(map, { line, column: column - 1 })
  // Of broken mappings anything can come back.
  if (!found.source || !(found.line >= 1) || !(found.column >= 0)) return undefined
  // A list of sources' texts that is too short yields undefined, which the library's type does not say.
  const content: unknown = sourceContentFor(map, found.source)
  const lines = typeof content === 'string' ? findSourceLines(content, found.line) : undefined
  const calleeName =
    lines === undefined ? (found.name ?? undefined) : findCalleeName(lines.contextLine, found.column + 1)
  return {
    source: toSourcePath(found.source).slice(0, limits.pathCharacters),
    line: found.line,
    column: found.column + 1,
    isLibrary: isLibrarySource(found.source) || isIgnored(map, found.source),
    ...(calleeName !== undefined && { calleeName: calleeName.slice(0, limits.symbolCharacters) }),
    ...lines,
  }
}
