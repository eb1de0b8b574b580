import type { ExceptionFacts } from './frame-facts.ts'
import { createFrameTest, frameKeys, type FrameTest } from './frame-matcher.ts'
import type { LineReader } from './line-reader.ts'
import { readMatcher } from './matcher-syntax.ts'
import { readRuleLines, type ReadRules, type RuleLine } from './rule-lines.ts'
import { createPattern } from './value-pattern.ts'

/**
 * The frames to which an action applies, relative to the matching frame: itself, those it called, or those
 * that called it.
 */
export type ActionRange = 'self' | 'up' | 'down'

/** An action of a rule. */
export type RuleAction =
  | { kind: 'flag'; flag: 'app' | 'group'; isOn: boolean; range: ActionRange }
  | { kind: 'category'; category: string }
  | { kind: 'max-frames' | 'min-frames'; count: number }

/** A parsed stack trace rule. */
export interface StackTraceRule {
  /** Line number, from 1. */
  line: number
  text: string
  /** Tests the exception of the trace; undefined for a thread's trace. */
  matchesException: (exception: ExceptionFacts | undefined) => boolean
  matchesFrame: FrameTest
  /** Matchers of the calling frame, if any. */
  matchesCaller?: FrameTest
  /** Matchers of the called frame, if any. */
  matchesCallee?: FrameTest
  actions: RuleAction[]
}

/**
 * Parses stack trace rules in Sentry's syntax ("enhancements"): `[ caller ] | key:pattern … | [ callee ]
 * action …`.
 */
export function parseStackTraceRules(text: string): ReadRules<StackTraceRule> {
  return readRuleLines(text, readRule)
}

interface RuleTests {
  frame: FrameTest[]
  exception: ((exception: ExceptionFacts | undefined) => boolean)[]
}

function readRule({ line, text, reader }: RuleLine): StackTraceRule {
  const caller = reader.isAt('[') ? readNeighbour(reader) : undefined
  if (caller !== undefined && !reader.take('|')) reader.fail('A | is expected after the caller in brackets.')
  const tests: RuleTests = { frame: [], exception: [] }
  while (!reader.isAtEnd() && !isAtAction(reader) && !reader.isAt('|')) readTest(reader, tests)
  if (tests.frame.length + tests.exception.length === 0)
    reader.fail('A matcher such as path:**/node_modules/** is expected here.')
  const callee = reader.take('|') ? readNeighbour(reader) : undefined
  const actions: RuleAction[] = []
  while (!reader.isAtEnd()) actions.push(readAction(reader))
  if (actions.length === 0)
    reader.fail(
      'An action is expected at the end: +app, -app, +group, -group, category=, max-frames= or min-frames=.',
    )
  return {
    line,
    text,
    matchesException: (exception) => tests.exception.every((test) => test(exception)),
    matchesFrame: all(tests.frame),
    matchesCaller: caller,
    matchesCallee: callee,
    actions,
  }
}

/** `[ key:pattern … ]` */
function readNeighbour(reader: LineReader): FrameTest {
  if (!reader.take('[')) reader.fail('A frame in brackets is expected here, such as [ function:main ].')
  const tests: RuleTests = { frame: [], exception: [] }
  while (!reader.isAt(']')) {
    if (reader.isAtEnd() || isAtAction(reader)) reader.fail('The bracket is not closed.')
    if (reader.isAt('[')) reader.fail('Brackets cannot be nested.')
    const { index } = reader
    readTest(reader, tests, ']')
    if (tests.exception.length > 0) reader.fail('Brackets match frames, not errors.', index)
  }
  reader.take(']')
  if (tests.frame.length === 0) reader.fail('A matcher such as function:main is expected in the brackets.')
  return all(tests.frame)
}

function all(tests: FrameTest[]): FrameTest {
  return (frame) => tests.every((test) => test(frame))
}

const exceptionKeys: ReadonlyMap<string, keyof ExceptionFacts> = new Map([
  ['error.type', 'type'],
  ['type', 'type'],
  ['error.value', 'value'],
  ['value', 'value'],
  ['error.mechanism', 'mechanism'],
  ['mechanism', 'mechanism'],
])

const knownKeys = [...frameKeys.keys(), 'category', ...exceptionKeys.keys()]

function readTest(reader: LineReader, tests: RuleTests, ends = ''): void {
  const { isNegated, key, pattern, index } = readMatcher(reader, ends)
  const exceptionKey = exceptionKeys.get(key)
  const frameKey = key === 'category' ? 'category' : frameKeys.get(key)
  if (exceptionKey !== undefined) {
    const test = createPattern(pattern, { isCaseSensitive: true })
    tests.exception.push((exception) => test(exception?.[exceptionKey] ?? '<unknown>') !== isNegated)
  } else if (frameKey === undefined) {
    reader.fail(`Unknown matcher ${JSON.stringify(key)}. Known: ${knownKeys.join(', ')}.`, index)
  } else {
    const test = createFrameTest(frameKey, pattern, reader)
    tests.frame.push((frame) => test(frame) !== isNegated)
  }
}

const flagAction = /^([\^v]?)([+-])(app|group)$/
const numberAction = /^(max|min)-frames=([0-9]{1,4})$/
const actionStart = /^(?:[\^v]?[+-]|(?:max-frames|min-frames|category|invert-stacktrace)=)/

function isAtAction(reader: LineReader): boolean {
  reader.skipBlanks()
  return actionStart.test(reader.text.slice(reader.index, reader.index + 20))
}

function readAction(reader: LineReader): RuleAction {
  reader.skipBlanks()
  const { index } = reader
  const word = reader.word()
  const [, range, sign, flag] = flagAction.exec(word) ?? []
  if (flag === 'app' || flag === 'group')
    return {
      kind: 'flag',
      flag,
      isOn: sign === '+',
      range: range === '' ? 'self' : range === '^' ? 'up' : 'down',
    }
  const [, bound, count] = numberAction.exec(word) ?? []
  if (bound !== undefined)
    return { kind: bound === 'max' ? 'max-frames' : 'min-frames', count: Number(count) }
  const [, category] = /^category=([A-Za-z0-9_.-]{1,64})$/.exec(word) ?? []
  if (category !== undefined) return { kind: 'category', category }
  return reader.fail(
    `${JSON.stringify(word)} is not an action. There are +app, -app, +group and -group, each also with ^ or v in front, ` +
      'category=name, max-frames=number and min-frames=number.',
    index,
  )
}
