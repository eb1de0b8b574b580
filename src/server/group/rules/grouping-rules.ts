import { parseFingerprintRules, type FingerprintRule } from './fingerprint-rules.ts'
import { parseStackTraceRules, type StackTraceRule } from './stack-trace-rules.ts'

/** A project's rules as stored texts. */
export interface GroupingSettings {
  fingerprintRules: string
  stackTraceRules: string
}

/** A project's parsed rules. */
export interface GroupingRules {
  fingerprintRules: readonly FingerprintRule[]
  stackTraceRules: readonly StackTraceRule[]
}

/** Parses a project's rules. A line that this version cannot parse is left out. */
export function parseGroupingRules(settings: GroupingSettings): GroupingRules {
  return {
    fingerprintRules: parseFingerprintRules(settings.fingerprintRules).rules,
    stackTraceRules: parseStackTraceRules(settings.stackTraceRules).rules,
  }
}
