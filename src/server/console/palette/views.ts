import type { GuideMatch } from '#server/console/guides/views.ts'
import type { IssueSummary, NamedMonitor } from '#server/store/issues/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** The results of the command palette. */
export interface PaletteView {
  projects: ProjectName[]
  issues: Pick<IssueSummary, 'id' | 'shortId' | 'title' | 'subtitle' | 'level'>[]
  /** Pages of a project's settings. Empty without a word of a page's title, or "settings". */
  projectPages: { slug: string; projectName: string; page: string; title: string }[]
  /** Empty without a text. */
  monitors: NamedMonitor[]
  /** Empty without a text. */
  guides: GuideMatch[]
}
