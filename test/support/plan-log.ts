import { readFileSync } from 'node:fs'

/** Settings of a cluster that logs the plan of each statement, also of those in triggers. */
export const planLogSettings = {
  shared_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_format': 'json',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  log_line_prefix: '',
  autovacuum: 'off',
}

/** A node of a plan, as PostgreSQL writes it. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

export interface LoggedPlan {
  'Query Text': string
  Plan: PlanNode
}

/** The plans in the log of a cluster with `planLogSettings`, from an offset in bytes on. */
export function readPlans(logFile: string, offset: number): LoggedPlan[] {
  const log = readFileSync(logFile).subarray(offset).toString()
  // Lines after the first one of an entry begin with a tab.
  return [...log.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(
    ([, lines = '']) => JSON.parse(lines.replaceAll(/^\t/gm, '')) as LoggedPlan,
  )
}

/** The nodes of a plan. */
export function listPlanNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listPlanNodes)]
}
