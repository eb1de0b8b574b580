import type { ProjectName } from '#server/store/projects/records.ts'

export interface ProjectListRow extends ProjectName {
  /** The DSN of the project's first active key; absent when it has none. */
  dsn?: string
  createdAt: number
  eventCount24h: number
  /** Accepted events in each step of the period, oldest first; the last one is the running hour or day. */
  counts: number[]
  unresolvedIssueCount: number
  lastEventAt?: number
  /** Culvert's own project: it watches the application itself. */
  isBuiltIn: boolean
}

export const projectPeriods = ['24h', '14d'] as const

export type ProjectPeriod = (typeof projectPeriods)[number]

export interface ProjectListView {
  now: number
  period: ProjectPeriod
  /** The viewer may make another one. */
  mayCreate: boolean
  projects: ProjectListRow[]
}
