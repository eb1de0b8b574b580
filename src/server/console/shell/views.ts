import type { TimeZone } from '#time/time-zone.ts'

/** The common data of every page. */
export interface ShellView {
  monitoring: {
    dsn: string
    /** Path and query of the tunnel on this origin. */
    tunnel: string
    environment: string
  }
  /** Absent without a session. */
  viewer?: ShellViewer
}

/** Who is signed in, as every page shows it. */
export interface ShellViewer {
  userId: string
  name: string
  email: string
  /** Unread items of the inbox, counted up to `limits.inboxUnreadCounted`. */
  unreadCount: number
  /** The issues of these items. */
  unreadIssueIds: string[]
  /**
   * Names of destinations that fail, or were disabled by their receiver, of those that one looks after; with
   * the mail server.
   */
  failingDestinations: string[]
  /** Single keys do something: unless switched off in the settings. */
  hasShortcuts: boolean
  /** The zone in which times are written; absent: the browser's. */
  timeZone?: TimeZone
  /** One looks after an organization: its members and projects, and how the installation is. */
  mayConfigure: boolean
}
