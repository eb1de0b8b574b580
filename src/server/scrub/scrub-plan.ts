import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import { compactName, createFieldNames, type ReadName } from './names/field-name.ts'
import { scrubRuleNames, scrubRules, type ScrubRule } from './scrub-rule.ts'
import type { ScrubSettings } from './scrub-settings.ts'

/** A project's settings, ready for use. */
export interface ScrubPlan {
  rules: ReadonlySet<ScrubRule>
  readName: ReadName
  removesAddresses: boolean
  /** A rule is on that `findTextFeatures` does not look for. */
  hasOptionalRules: boolean
}

const optionalRules: readonly ScrubRule[] = ['email', 'ip', 'imei', 'mac', 'uuid']

const plans = new WeakMap<ScrubSettings, ScrubPlan>()
const plansByContent = new BoundedMap<string, ScrubPlan>(limits.rememberedScrubPlans)

/**
 * Prepares settings the first time they are seen. Settings that say the same have the same plan: they are
 * read anew whenever anything in the store has changed, and the plan remembers what names mean.
 */
export function scrubPlan(settings: ScrubSettings): ScrubPlan {
  const known = plans.get(settings)
  if (known !== undefined) return known
  const content = JSON.stringify(settings)
  const plan = plansByContent.getOrCreate(content, () => createPlan(settings))
  plans.set(settings, plan)
  return plan
}

function createPlan(settings: ScrubSettings): ScrubPlan {
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
