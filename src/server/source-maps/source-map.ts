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

/** A parsed source map. */
export interface SourceMap {
  /** Approximate size in memory. */
  memoryBytes: number
  /** Finds the source location of a 1-based line and column. Undefined if the map has none. Never throws. */
  find(line: number, column: number): MappedLocation | undefined
}

/** A map, or the reason why it is unusable: `too-large` is above `limits.sourceMapSegments`. */
export type SourceMapResult =
  | { ok: true; map: SourceMap }
  | { ok: false; failure: 'unreadable' | 'too-large' }

/** Bytes of a decoded segment (measured: 93). */
const segmentBytes = 100

/** Parses a source map within the memory limits. Never throws. */
export function readSourceMap(text: string): SourceMapResult {
  const parsed = parseSourceMap(text)
  if (!parsed.ok) return parsed
  const traced = toTraceMap(parsed.map)
  if (traced === undefined) return { ok: false, failure: 'unreadable' }
  const memoryBytes = text.length * 2 + parsed.segmentCount * segmentBytes
  return { ok: true, map: { memoryBytes, find: (line, column) => findLocation(traced, line, column) } }
}

/** The library decodes a plain map at the first lookup and an indexed map immediately. Both can throw. */
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
  // Broken mappings can return any values.
  if (!found.source || !(found.line >= 1) || !(found.column >= 0)) return undefined
  // If the list of source texts is too short, this is undefined, contrary to the library's type.
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
