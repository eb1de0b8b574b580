import type { NotificationWay } from '#alerts/preference.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import type { InboxItem } from '#server/store/alerts/records.ts'

/** What the screens of alerts show. Plain data, safe to send to the browser; times are Unix milliseconds. */

/** What `/inbox` shows. */
export interface InboxView {
  now: number
  /** Newest first. */
  items: InboxItem[]
  /** Counted up to `unreadCounted`. */
  unreadCount: number
  isCountCut: boolean
}

/** What `/settings/notifications` shows. */
export interface NotificationSettingsView {
  now: number
  /** One looks after an organization. */
  mayConfigure: boolean
  /** A mail server is set. */
  hasMail: boolean
  email: string
  ways: { transition: AlertTransition; way: NotificationWay }[]
  projects: { id: number; name: string; isMuted: boolean }[]
  mark: string
}
