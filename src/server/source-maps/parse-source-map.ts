import type { EncodedSourceMap, Section, SectionedSourceMap } from '@jridgewell/trace-mapping'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'

/** A source map as the library accepts it: plain or indexed. */
export type ParsedMap = (EncodedSourceMap | SectionedSourceMap) & { ignoreList?: number[] }

/** A map and its segment count; `too-large` above `limits.sourceMapSegments`. */
export type ParsedMapResult =
  | { ok: true; map: ParsedMap; segmentCount: number }
  | { ok: false; failure: 'unreadable' | 'too-large' }

/** Counters over all sections of a map. */
interface ParseCounts {
  segmentCount: number
  sectionCount: number
}

/**
 * Parses a source map (ECMA-426). Never throws. Bounds the work that a map can cause: segments, sections, and
 * lines before a section.
 */
export function parseSourceMap(text: string): ParsedMapResult {
  const counts = { segmentCount: 0, sectionCount: 0 }
  const map = parseMap(parseJson(text), counts, 0)
  if (counts.segmentCount > limits.sourceMapSegments) return { ok: false, failure: 'too-large' }
  return map === undefined
    ? { ok: false, failure: 'unreadable' }
    : { ok: true, map, segmentCount: counts.segmentCount }
}

/** Removes the line `)]}'`, which protects JSON from being executed. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(")]}'") ? text.slice(text.indexOf('\n') + 1) : text)
  } catch {
    return undefined
  }
}

function parseMap(value: unknown, counts: ParseCounts, depth: number): ParsedMap | undefined {
  if (!isJsonObject(value) || depth > limits.sourceMapDepth) return undefined
  return value['sections'] === undefined ? parsePlainMap(value, counts) : parseSections(value, counts, depth)
}

function parsePlainMap(value: JsonObject, counts: ParseCounts): ParsedMap | undefined {
  const { mappings, sourceRoot } = value
  if (typeof mappings !== 'string') return undefined
  counts.segmentCount += countSegments(mappings)
  return counts.segmentCount > limits.sourceMapSegments
    ? undefined
    : {
        version: 3,
        mappings,
        names: listOf(value['names']).map((name) => (typeof name === 'string' ? name : '')),
        sources: listOf(value['sources']).map(textOrNull),
        sourcesContent: listOf(value['sourcesContent']).map(textOrNull),
        ignoreList: listOf(value['ignoreList'] ?? value['x_google_ignoreList']).filter(
          (index) => typeof index === 'number',
        ),
        ...(typeof sourceRoot === 'string' && { sourceRoot }),
      }
}

function parseSections(value: JsonObject, counts: ParseCounts, depth: number): ParsedMap | undefined {
  const sections: Section[] = []
  for (const section of listOf(value['sections'])) {
    counts.sectionCount += 1
    if (counts.sectionCount > limits.sourceMapSections || !isJsonObject(section)) return undefined
    const { offset } = section
    // The library allocates a list of all lines up to a section, even if they are empty.
    const line = countOf(isJsonObject(offset) ? offset['line'] : undefined, limits.sourceMapSegments)
    const column = countOf(isJsonObject(offset) ? offset['column'] : undefined, Number.MAX_SAFE_INTEGER)
    const map = parseMap(section['map'], counts, depth + 1)
    if (line === undefined || column === undefined || map === undefined) return undefined
    counts.segmentCount += line - (sections.at(-1)?.offset.line ?? 0)
    sections.push({ offset: { line, column }, map })
  }
  return { version: 3, sections }
}

/** Counts commas and semicolons: the library allocates an entry for each. */
function countSegments(mappings: string): number {
  let count = 1
  for (let index = 0; index < mappings.length; index += 1) {
    const code = mappings.charCodeAt(index)
    if (code === 44 || code === 59) count += 1
  }
  return count
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function textOrNull(value: Json): string | null {
  return typeof value === 'string' ? value : null
}

function countOf(value: Json | undefined, highest: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= highest
    ? value
    : undefined
}
