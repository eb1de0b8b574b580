import * as v from 'valibot'
import { OperatorError } from '#server/errors.ts'
import { defaultProjectSettings, type ProjectSettings } from '#server/store/projects/settings.ts'
import type { ImportPlan } from './plan.ts'

const text = v.string()
const optionalText = v.optional(text)

const Plan = v.object({
  projects: v.array(
    v.object({
      id: v.number(),
      sourceSlug: text,
      organizationSlug: optionalText,
      name: text,
      platform: optionalText,
      keys: v.array(
        v.object({
          publicKey: text,
          label: text,
          isActive: v.boolean(),
          rateLimit: v.optional(v.object({ quantity: v.number(), windowSeconds: v.number() })),
        }),
      ),
      settings: v.custom<Partial<ProjectSettings>>(isSettings),
      rules: v.array(v.object({ name: text, sent: v.looseObject({}) })),
    }),
  ),
  members: v.array(
    v.object({
      sourceUserId: optionalText,
      email: text,
      name: text,
      role: v.picklist(['viewer', 'member', 'admin', 'owner']),
    }),
  ),
  leftOut: v.array(v.object({ project: text, text })),
})

/** True for parts of settings as `readSentryDump` returns them. */
function isSettings(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).every((part) => part in defaultProjectSettings)
  )
}

/** Parses the plan of a stored job. Throws an `OperatorError` if it is of another version. */
export function parsePlan(stored: unknown): ImportPlan {
  const parsed = v.safeParse(Plan, stored)
  if (parsed.success) return parsed.output
  throw new OperatorError('The backup was read by another version of Culvert. Upload it again.')
}
