import type { ProjectName } from '#server/store/projects/records.ts'

export interface ProjectListRow extends ProjectName {
  /** The DSN of the project's first active key; absent if it has none. */
  dsn?: string
  createdAt: number
  eventCount24h: number
  /** Accepted events in each step of the period, oldest first; the last one is the current hour or day. */
  counts: number[]
  unresolvedIssueCount: number
  lastEventAt?: number
  /** True for Culvert's own project, to which it reports its own errors. */
  isBuiltIn: boolean
}

export const projectPeriods = ['24h', '14d'] as const

export type ProjectPeriod = (typeof projectPeriods)[number]

export interface ProjectListView {
  now: number
  period: ProjectPeriod
  /** True if the viewer may create projects. */
  canCreate: boolean
  projects: ProjectListRow[]
}
