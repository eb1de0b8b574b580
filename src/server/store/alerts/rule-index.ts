import { isCommonFilter, isMatch, toCommonKey, type AlertCase } from '#alerts/decide.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'

/** A stored rule. */
interface IndexedRule {
  id: string
  rule: AlertRule
}

/** Rules that differ only in name, trigger and filters: they have the same behaviour. */
export interface RuleClass {
  /** One of the rules, which decides for all. */
  first: IndexedRule
  rules: readonly IndexedRule[]
  ruleIds: readonly string[]
}

/** A transition of an issue or a project. */
type MatchedCase = Pick<AlertCase, 'transition' | 'subject' | 'now'>

/** The rules of a project, indexed again after each change. */
export interface RuleIndex {
  rules: readonly IndexedRule[]
  /** The rules whose trigger and filters match, by behaviour. Only rules that can match are evaluated. */
  listMatching(of: MatchedCase): readonly RuleClass[]
}

/** A rule whose filters are split into those of `toCommonKey` and the others. */
interface Candidate {
  stored: IndexedRule
  common: AlertRule['filters']
  others: AlertRule['filters']
}

interface Candidates {
  all: readonly Candidate[]
  /** Set if no filters are left to evaluate. */
  classes?: readonly RuleClass[]
}

/** Creates the index of the rules of a project. */
export function createRuleIndex(rules: readonly IndexedRule[]): RuleIndex {
  const behaviours = new Map(rules.map((stored) => [stored, toBehaviour(stored)]))
  const candidates = rules.map(toCandidate)
  const known = new BoundedMap<string, Candidates>(limits.alertMatchesKept)

  const toClasses = (matching: readonly IndexedRule[]): RuleClass[] =>
    [...Map.groupBy(matching, (stored) => behaviours.get(stored)).values()].flatMap((alike) => {
      const [first] = alike
      return first === undefined ? [] : [{ first, rules: alike, ruleIds: alike.map(({ id }) => id) }]
    })
  const findCandidates = (of: MatchedCase): Candidates => {
    const all = candidates.filter(({ stored: { rule }, common }) =>
      isMatch({ transitions: rule.transitions, filters: common }, of),
    )
    const isDecided = all.every(({ others }) => others.length === 0)
    return { all, ...(isDecided && { classes: toClasses(all.map(({ stored }) => stored)) }) }
  }
  return {
    rules,
    listMatching(of) {
      const { all, classes } = known.getOrCreate(toCommonKey(of), () => findCandidates(of))
      if (classes !== undefined) return classes
      const matching = all.filter(({ stored: { rule }, others }) =>
        isMatch({ transitions: rule.transitions, filters: others }, of),
      )
      return toClasses(matching.map(({ stored }) => stored))
    },
  }
}

function toCandidate(stored: IndexedRule): Candidate {
  const [common, others] = [true, false].map((isCommon) =>
    stored.rule.filters.filter((filter) => isCommonFilter(filter) === isCommon),
  )
  return { stored, common: common ?? [], others: others ?? [] }
}

/** The part of a rule other than its trigger and filters. */
function toBehaviour({ rule: { isEnabled, throttleMs, quietHours, actions } }: IndexedRule): string {
  return JSON.stringify([isEnabled, throttleMs, quietHours, actions])
}
