import type { UpstreamView } from '#server/console/project-settings/views.ts'
import type { ComparedIssue } from '#server/store/imports/records.ts'

/** What `/settings/import` shows. */
export interface ImportView {
  now: number
  /** Only admins and owners of the first organization import. */
  mayImport: boolean
  /** The host runs nothing in the background. */
  isServerless: boolean
  /** The import that was started last. */
  job?: ImportJobView
  /** Absent for users who may not import. */
  cutOver?: CutOverView
  /** Issues with their counts in both trackers, those that differ most first. */
  compared: ComparedIssue[]
}

/** An import that was started in the console. */
export interface ImportJobView {
  state: 'reading' | 'read' | 'running' | 'done' | 'failed'
  /** It is at work. */
  isAtWork: boolean
  /** The process that ran it has ended. */
  isInterrupted: boolean
  /** `Sentry, https://sentry.example`, or a backup. */
  source: string
  /** The data that it imports, and the data that it does not. */
  report: string
  /** From 0 to 1. */
  share: number
  progress: string
  problem: string
  results: string[]
}

/** How far a step of the cut-over is. `off`: the user did without it. `ready`: nothing else is missing. */
export type CutOverState = 'done' | 'next' | 'later' | 'problem' | 'off' | 'ready'

/** The steps of a cut-over, in their order. */
export type CutOverStep = 'import' | 'forward' | 'move' | 'compare' | 'stop'

/** The move from another tracker, derived from the stored data. Times are Unix milliseconds. */
export interface CutOverView {
  states: Record<CutOverStep, CutOverState>
  /** Imported projects that the viewer can open. */
  projectCount: number
  /** Of the first one. */
  importedAt?: number
  /** Projects with an upstream. */
  forwardingCount: number
  /** Envelopes that wait for an upstream. */
  waitingCount: number
  /** Projects whose imported keys are in use. */
  receivingCount: number
  /** The first use of an imported key. */
  firstUsedAt?: number
  issueCount: number
  differentCount: number
  /** Projects whose counts were compared since their keys are in use, or that have no imported issues. */
  comparedCount: number
  comparedAt?: number
  /** Those that are not done first. */
  projects: CutOverProjectView[]
  /** Projects that are not listed. */
  otherCount: number
}

/** An imported project in the checklist. */
export interface CutOverProjectView {
  slug: string
  /** False for one that an earlier version imported: its keys are watched once it is imported again. */
  isWatched: boolean
  firstUsedAt?: number
  issueCount: number
  differentCount: number
  upstreams: UpstreamView[]
}
