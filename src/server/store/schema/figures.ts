import type { FigureSeries, FigureStep } from '#server/store/figures/records.ts'
import type { Figure } from '#traces/figures.ts'

/** Figures of traces. */
export interface FigureTables {
  figures: FiguresTable
  figure_names: FigureNamesTable
  figure_deltas: { project_id: number; id: number; data: string }
}

interface FiguresTable {
  project_id: number
  series: FigureSeries
  step: FigureStep
  at: number
  name_id: number
  facet: string
  value_count: number
  weight: number
  failure_count: number
  good_count: number
  value_sum: number
  histogram: Uint8Array
}

interface FigureNamesTable {
  project_id: number
  id: number
  kind: Figure['kind']
  op: string
  name: string
  first_seen_at: number
  seen_day: number
}
