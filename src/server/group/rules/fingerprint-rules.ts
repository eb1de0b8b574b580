import { createFingerprintTest, type FingerprintTest } from './fingerprint-matcher.ts'
import { frameKeys } from './frame-matcher.ts'
import type { LineReader } from './line-reader.ts'
import { readMatcher } from './matcher-syntax.ts'
import { readRuleLines, type ReadRules, type RuleLine } from './rule-lines.ts'

/** A parsed fingerprint rule. */
export interface FingerprintRule {
  /** Line number, from 1. */
  line: number
  text: string
  /** Tests of one group must match the same object: one exception or one frame. All groups must match. */
  tests: FingerprintTest[]
  /** Parts; variables such as `{{ type }}` are separate parts. */
  fingerprint: string[]
  /** In the same format. */
  title?: string[]
}

/**
 * Parses fingerprint rules in Sentry's syntax: `key:pattern … -> value, value … title="…"`. Values may
 * contain variables such as `{{ default }}`.
 */
export function parseFingerprintRules(text: string): ReadRules<FingerprintRule> {
  return readRuleLines(text, readRule)
}

const eventKeys = new Map<string, string>([
  ['error.type', 'type'],
  ['type', 'type'],
  ['error.value', 'value'],
  ['value', 'value'],
  ['message', 'message'],
  ['logger', 'logger'],
  ['level', 'level'],
  ['release', 'release'],
  ['sdk', 'sdk'],
])

function readRule({ line, text, reader }: RuleLine): FingerprintRule {
  const tests: FingerprintTest[] = []
  while (!reader.isAt('->')) {
    if (reader.isAtEnd()) reader.fail('-> and a fingerprint are expected here.')
    tests.push(readTest(reader))
  }
  if (tests.length === 0) reader.fail('A matcher such as type:TypeError is expected before ->.')
  reader.take('->')
  const rule: FingerprintRule = { line, text, tests, fingerprint: [] }
  while (!reader.isAtEnd()) readValue(reader, rule)
  if (rule.fingerprint.length === 0) reader.fail('A fingerprint is expected after ->, such as {{ default }}.')
  return rule
}

function readTest(reader: LineReader): FingerprintTest {
  const { isNegated, key, pattern, index } = readMatcher(reader)
  const field = key.startsWith('tags.') && key.length > 5 ? key : (eventKeys.get(key) ?? frameKeys.get(key))
  if (field === undefined) {
    const known = [...eventKeys.keys(), ...frameKeys.keys(), 'tags.name'].join(', ')
    reader.fail(`Unknown matcher ${JSON.stringify(key)}. Known: ${known}.`, index)
  }
  return createFingerprintTest({ field, pattern, isNegated }, reader)
}

/** `name="…"` is an attribute; everything else is a part of the fingerprint. */
function readValue(reader: LineReader, rule: FingerprintRule): void {
  reader.skipBlanks()
  const { index } = reader
  const [attribute, name] = /^([a-z]+)="/.exec(reader.text.slice(index, index + 40)) ?? []
  if (attribute === undefined) {
    rule.fingerprint.push(...splitVariables(readPart(reader), { reader, index }))
    reader.take(',')
    return
  }
  if (name !== 'title') reader.fail(`Unknown attribute ${JSON.stringify(name)}: only title="…".`)
  reader.index += attribute.length - 1
  rule.title = splitVariables(reader.quoted(), { reader, index })
}

/** A part ends at a space or a comma outside of braces. */
function readPart(reader: LineReader): string {
  if (reader.isAt('"')) return reader.quoted()
  let part = ''
  while (reader.index < reader.text.length) {
    const variable = /^\{\{[^{}]*\}\}/.exec(reader.text.slice(reader.index, reader.index + 200))?.[0]
    const character = reader.text.charAt(reader.index)
    if (variable === undefined && (character === ',' || character === ' ' || character === '\t')) break
    part += variable ?? character
    reader.index += (variable ?? character).length
  }
  if (part === '') reader.fail('A part of the fingerprint is expected here.')
  return part
}

const variables = new Set([
  'default',
  'transaction',
  'message',
  'logger',
  'level',
  'type',
  'error.type',
  'value',
  'error.value',
  'function',
  'stack.function',
  'module',
  'stack.module',
  'abs_path',
  'stack.abs_path',
  'package',
  'stack.package',
])

/** `logger-{{ logger }}` is two parts: `logger-` and `{{ logger }}`. */
function splitVariables(text: string, at: { reader: LineReader; index: number }): string[] {
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const name = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(part)?.[1]
      if (name === undefined) return part
      if (variables.has(name) || /^tags\.\S+$/.test(name)) return `{{ ${name} }}`
      const known = [...variables, 'tags.name'].join(', ')
      return at.reader.fail(`Unknown variable ${JSON.stringify(name)}. Known: ${known}.`, at.index)
    })
}
