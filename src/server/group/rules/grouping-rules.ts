import { parseFingerprintRules, type FingerprintRule } from './fingerprint-rules.ts'
import { parseStackTraceRules, type StackTraceRule } from './stack-trace-rules.ts'

/** A project's rules as it keeps them: texts. */
export interface GroupingSettings {
  fingerprintRules: string
  stackTraceRules: string
}

/** A project's rules, ready for use. */
export interface GroupingRules {
  fingerprintRules: readonly FingerprintRule[]
  stackTraceRules: readonly StackTraceRule[]
}

const compiled = new WeakMap<GroupingSettings, GroupingRules>()

/**
 * Reads a project's rules the first time they are seen. A line that cannot be read, by another version say,
 * is left out.
 */
export function groupingRules(settings: GroupingSettings): GroupingRules {
  const known = compiled.get(settings)
  if (known !== undefined) return known
  const rules = {
    fingerprintRules: parseFingerprintRules(settings.fingerprintRules).rules,
    stackTraceRules: parseStackTraceRules(settings.stackTraceRules).rules,
  }
  compiled.set(settings, rules)
  return rules
}
