import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import type { PlannedRule } from '#server/import/plan.ts'
import { countOf, objectsOf, foreignText, parseForeignJson } from './fields.ts'

/** A rule in a backup: its parts are JSON in a text, with conditions and filters in one list. */
export function toDumpRule(fields: JsonObject, environment: string | undefined): PlannedRule {
  const data = parseData(fields['data'])
  const parts = objectsOf(data['conditions'])
  const name = foreignText(fields, 'label') || 'Rule'
  return {
    name,
    sent: {
      name,
      actionMatch: foreignText(data, 'action_match') || 'any',
      filterMatch: foreignText(data, 'filter_match') || 'all',
      conditions: parts.filter((part) => !isFilter(part)),
      filters: parts.filter(isFilter),
      actions: objectsOf(data['actions']),
      frequency: data['frequency'] ?? 30,
      environment,
      status: (countOf(fields, 'status') ?? 0) === 0 ? 'active' : 'disabled',
    },
  }
}

/** A rule of the web API. */
export function toApiRule(rule: JsonObject): PlannedRule {
  const { name, actionMatch, filterMatch, conditions, filters, actions, frequency, environment, status } =
    rule
  return {
    name: foreignText(rule, 'name') || 'Rule',
    sent: {
      name,
      actionMatch,
      filterMatch,
      conditions,
      filters: filters ?? [],
      actions,
      frequency,
      environment,
      ...((status === 'active' || status === 'disabled') && { status }),
    },
  }
}

function parseData(value: unknown): JsonObject {
  if (isJsonObject(value)) return value
  try {
    const parsed: unknown = typeof value === 'string' ? parseForeignJson(value) : {}
    return isJsonObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

function isFilter(part: JsonObject): boolean {
  return foreignText(part, 'id').startsWith('sentry.rules.filters.')
}
