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

/** The signed-in user. */
export interface ShellViewer {
  userId: string
  name: string
  email: string
  /** Unread items of the inbox, up to `limits.inboxUnreadCounted`. */
  unreadCount: number
  /** The issues of these items. */
  unreadIssueIds: string[]
  /**
   * Names of failing destinations, or those disabled by their receiver, that the viewer manages, and of a
   * failing mail server.
   */
  failingDestinations: string[]
  /** True if single-key shortcuts are enabled. */
  hasShortcuts: boolean
  /** The user's time zone; absent for the browser's. */
  timeZone?: TimeZone
  /**
   * True for an admin or owner of an organization, who manages its members and projects and sees the system
   * status.
   */
  canConfigure: boolean
}
