import type { FrameFacts } from './frame-facts.ts'
import type { LineReader } from './line-reader.ts'
import { createFamilyTest, createPathPattern, createPattern, parseFlag } from './value-pattern.ts'

/** True if a frame matches a rule. */
export type FrameTest = (frame: FrameFacts) => boolean

/** The valid values of `family:`. */
export const familyProblem = 'A family is native, javascript, other or all; commas between several.'

const caseSensitive = { isCaseSensitive: true }

/** A test of a frame. */
export type FrameField = 'module' | 'path' | 'package' | 'function' | 'family' | 'app' | 'category'

/** The names of a frame's fields in rules, including synonyms. */
export const frameKeys: ReadonlyMap<string, Exclude<FrameField, 'category'>> = new Map([
  ['stack.module', 'module'],
  ['module', 'module'],
  ['stack.abs_path', 'path'],
  ['path', 'path'],
  ['stack.package', 'package'],
  ['package', 'package'],
  ['stack.function', 'function'],
  ['function', 'function'],
  ['family', 'family'],
  ['app', 'app'],
])

/** The name of a frame without a function in rules. */
const noFunction = '<unknown>'

/** Creates the test of a matcher from its pattern; fails through `reader` if the pattern is invalid. */
export function createFrameTest(field: FrameField, pattern: string, reader: LineReader): FrameTest {
  return frameTests[field](pattern, reader)
}

const frameTests: Record<FrameField, (pattern: string, reader: LineReader) => FrameTest> = {
  path(pattern) {
    const test = createPathPattern(pattern)
    return ({ paths }) => paths.some(test)
  },
  package(pattern) {
    const test = createPathPattern(pattern)
    return (frame) => frame.package !== undefined && test(frame.package)
  },
  module(pattern) {
    const test = createPattern(pattern, caseSensitive)
    return ({ module }) => module !== undefined && test(module)
  },
  function(pattern) {
    const test = createPattern(pattern, caseSensitive)
    return (frame) => test(frame.function ?? noFunction)
  },
  category(pattern) {
    const test = createPattern(pattern, caseSensitive)
    return ({ category }) => category !== undefined && test(category)
  },
  family(pattern, reader) {
    const test = createFamilyTest(pattern)
    if (test === undefined) return reader.fail(familyProblem)
    return ({ family }) => test(family)
  },
  app(pattern, reader) {
    const flag = parseFlag(pattern)
    if (flag === undefined) return reader.fail('app: is followed by yes or no.')
    return ({ isApp }) => isApp === flag
  },
}
