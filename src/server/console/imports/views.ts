import type { UpstreamView } from '#server/console/project-settings/views.ts'
import type { ComparedIssue } from '#server/store/imports/records.ts'

/** The data of `/settings/import`. */
export interface ImportView {
  now: number
  /** Only admins and owners of the first organization import. */
  canImport: boolean
  /** True if the host runs nothing in the background. */
  isServerless: boolean
  /** The latest import. */
  job?: ImportJobView
  /** Absent for users who may not import. */
  cutOver?: CutOverView
  /** Issues with their counts in both trackers, largest difference first. */
  compared: ComparedIssue[]
}

/** An import that was started in the console. */
export interface ImportJobView {
  state: 'reading' | 'read' | 'running' | 'done' | 'failed'
  /** True while it runs. */
  isAtWork: boolean
  /** True if the process that ran it has ended. */
  isInterrupted: boolean
  /** `Sentry, https://sentry.example`, or a backup. */
  source: string
  /** Lists the data that it imports, and the data that it does not. */
  report: string
  /** From 0 to 1. */
  share: number
  progress: string
  problem: string
  results: string[]
}

/** The state of a step of the cut-over. `off`: the user skipped it. `ready`: all earlier steps are done. */
export type CutOverState = 'done' | 'next' | 'later' | 'problem' | 'off' | 'ready'

/** The steps of a cut-over, in order. */
export type CutOverStep = 'import' | 'forward' | 'move' | 'compare' | 'stop'

/** The cut-over from another tracker, derived from the stored data. Times are Unix milliseconds. */
export interface CutOverView {
  states: Record<CutOverStep, CutOverState>
  /** Imported projects that the viewer has access to. */
  projectCount: number
  /** When the first project was imported. */
  importedAt?: number
  /** Projects with an upstream. */
  forwardingCount: number
  /** Envelopes queued for an upstream. */
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
  /** Projects that are not done first. */
  projects: CutOverProjectView[]
  /** Number of projects that are not listed. */
  otherCount: number
}

/** An imported project in the checklist. */
export interface CutOverProjectView {
  slug: string
  /** False for a project that an earlier version imported: its keys are monitored after another import. */
  isWatched: boolean
  firstUsedAt?: number
  issueCount: number
  differentCount: number
  upstreams: UpstreamView[]
}
