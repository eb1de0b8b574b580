import type { AlertTransition } from '#alerts/transition.ts'

/** What a person was told about. Times in Unix milliseconds. */
export interface InboxItem {
  /** Names it in forms: project, issue and transition. */
  key: string
  transition: AlertTransition
  at: number
  isRead: boolean
  /** As it is now: of a merged issue the one it is part of. */
  issue: { id: string; title: string; subtitle: string; shortId: string; level: string }
  project: { slug: string; name: string }
}
