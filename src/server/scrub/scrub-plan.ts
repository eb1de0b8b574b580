import { compactName, createFieldNames, type ReadName } from './names/field-name.ts'
import { scrubRuleNames, scrubRules, type ScrubRule } from './scrub-rule.ts'
import type { ScrubSettings } from './scrub-settings.ts'

/** The compiled settings of a project. */
export interface ScrubPlan {
  rules: ReadonlySet<ScrubRule>
  readName: ReadName
  removesAddresses: boolean
  /** True if a rule is enabled that `findTextFeatures` does not detect. */
  hasOptionalRules: boolean
}

const optionalRules: readonly ScrubRule[] = ['email', 'ip', 'imei', 'mac', 'uuid']

/** Compiles settings. The plan caches the classification of field names, so create one per project. */
export function createScrubPlan(settings: ScrubSettings): ScrubPlan {
  const removesAddresses = settings.ipAddresses === 'remove'
  const rules = new Set(
    scrubRuleNames.filter((rule) => {
      if (rule === 'ip' && removesAddresses) return true
      return settings.isOn && (settings.rules[rule] ?? scrubRules[rule].isOn)
    }),
  )
  return {
    rules,
    removesAddresses,
    hasOptionalRules: optionalRules.some((rule) => rules.has(rule)),
    readName: createFieldNames({
      hasSecretNames: rules.has('password'),
      fields: rules.has('fields') ? settings.fields.map(compactName).filter((name) => name !== '') : [],
      excludedFields: new Set(settings.excludedFields.map(compactName).filter((name) => name !== '')),
    }),
  }
}
