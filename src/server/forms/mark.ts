import { createHash } from 'node:crypto'
import type { FormRejection } from './form-views.ts'

/** The version of the displayed settings: 16 hex digits that change with them. */
export function markOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16)
}

/**
 * Rejects a form that was filled in from an older version of the settings; undefined if it is current. A form
 * without a mark comes from a script, and is always saved.
 */
export function rejectOutdated(mark: string | undefined, current: string): FormRejection | undefined {
  if (mark === undefined || mark === current) return undefined
  return {
    kind: 'rejected',
    status: 409,
    problems: [{ message: outdatedText }],
    mark: current,
  }
}

const outdatedText =
  'Not saved: someone else changed this after you opened the page. Your entries are kept. Save again to replace their change.'
