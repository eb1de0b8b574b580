import { limits } from '#server/limits.ts'
import { LineReader } from './line-reader.ts'
import { type RuleProblem, RuleSyntaxError } from './rule-problem.ts'

/** The parsed rules. An unreadable line is a problem instead of a rule. */
export interface ReadRules<Rule> {
  rules: Rule[]
  problems: RuleProblem[]
}

/** A line and its number, from 1. */
export interface RuleLine {
  line: number
  text: string
  reader: LineReader
}

/** Parses a text with one rule per line; blank lines and those with `#` are skipped. Never throws. */
export function readRuleLines<Rule>(text: string, read: (line: RuleLine) => Rule): ReadRules<Rule> {
  const result: ReadRules<Rule> = { rules: [], problems: [] }
  if (text.length > limits.groupingRuleCharacters) {
    const message = `All rules together are longer than ${limits.groupingRuleCharacters} characters.`
    return { rules: [], problems: [{ line: 1, column: 1, message }] }
  }
  for (const [index, raw] of text.split(/\r\n?|\n/).entries()) {
    const line = index + 1
    const trimmed = raw.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    if (result.rules.length >= limits.groupingRules) {
      result.problems.push({ line, column: 1, message: `At most ${limits.groupingRules} rules.` })
      return result
    }
    try {
      result.rules.push(read({ line, text: trimmed, reader: new LineReader(raw) }))
    } catch (thrown) {
      if (!(thrown instanceof RuleSyntaxError)) throw thrown
      result.problems.push({ line, column: thrown.index + 1, message: thrown.message })
    }
  }
  return result
}
