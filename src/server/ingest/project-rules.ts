import { compileFilters, type CompiledFilters } from '#server/filter/compile-filters.ts'
import { toFilterSettings } from '#server/filter/project-filters.ts'
import { parseGroupingRules, type GroupingRules } from '#server/group/rules/grouping-rules.ts'
import { EventCache } from '#server/normalize/event-cache.ts'
import { createScrubPlan, type ScrubPlan } from '#server/scrub/scrub-plan.ts'
import type { ProjectSettings } from '#server/store/projects/settings.ts'
import { PageNames } from './items/page-names.ts'
import { ProblemPace } from './items/problem-pace.ts'

/** The settings of a project, compiled for processing. */
export interface ProjectRules {
  settings: ProjectSettings
  filters: CompiledFilters
  scrubPlan: ScrubPlan
  grouping: GroupingRules
}

/** Compiles the settings of a project. */
export function compileProjectRules(settings: ProjectSettings): ProjectRules {
  return {
    settings,
    filters: compileFilters(toFilterSettings(settings.filters)),
    scrubPlan: createScrubPlan(settings.scrubbing),
    grouping: parseGroupingRules(settings.grouping),
  }
}

/**
 * Caches for the processing of envelopes, the pace at which performance problems become events, and the names
 * of pages.
 */
export class IngestState {
  readonly events = new EventCache()
  readonly problemPace = new ProblemPace()
  readonly pageNames = new PageNames()
  private readonly rules = new WeakMap<ProjectSettings, ProjectRules>()

  /** The compiled settings of a project. Equal settings of several projects are the same object. */
  rulesOf(settings: ProjectSettings): ProjectRules {
    const known = this.rules.get(settings)
    if (known !== undefined) return known
    const rules = compileProjectRules(settings)
    this.rules.set(settings, rules)
    return rules
  }
}
