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
  /** What it will and will not bring over. */
  report: string
  /** From 0 to 1. */
  share: number
  progress: string
  problem: string
  results: string[]
}
