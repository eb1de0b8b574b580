import * as v from 'valibot'
import type { AlertRule } from '#alerts/rule.ts'
import { parseSentRule, sentRule } from '#server/alerts/rule-json.ts'

/** The importable part of a rule, and what is missing of it. */
export interface ImportedRule {
  rule?: AlertRule
  problem?: string
}

/**
 * Parses a rule of Sentry's API. Leaves out unsupported actions; a rule without any action is not imported.
 * `findUser`: the user here for a user there.
 */
export function toAlertRule(
  sent: object,
  findUser: (sourceUserId: string) => string | undefined,
): ImportedRule {
  const shaped = v.safeParse(sentRule, sent)
  if (!shaped.success) return { problem: 'it does not have the documented format' }
  const { actions, ...rest } = shaped.output
  const kept = actions.flatMap((action) => {
    const named = renameUser(action, findUser)
    return named !== undefined &&
      parseSentRule({
        ...rest,
        conditions: [firstSeen],
        filters: [],
        environment: undefined,
        actions: [named],
      }).ok
      ? [named]
      : []
  })
  const lost = actions.length - kept.length
  if (kept.length === 0) return { problem: 'none of its actions is supported; add a destination and a rule' }
  const parsed = parseSentRule({ ...rest, actions: kept })
  if (!parsed.ok) return { problem: `${parsed.field}: ${parsed.problem}` }
  return {
    rule: parsed.rule,
    ...(lost > 0 && { problem: `${lost} of its actions are not supported and were omitted` }),
  }
}

const firstSeen = { id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }

type SentAction = v.InferOutput<typeof sentRule>['actions'][number]

function renameUser(
  action: SentAction,
  findUser: (id: string) => string | undefined,
): SentAction | undefined {
  if (action.id.startsWith('sentry.rules.actions.')) return undefined
  if (action['targetType'] !== 'Member') return action
  const userId = findUser(String(action['targetIdentifier']))
  return userId === undefined ? undefined : { ...action, targetIdentifier: userId }
}
