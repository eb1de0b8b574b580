import type { Role } from '#server/auth/roles.ts'
import type { ApiTokenRow } from '#server/store/accounts/api-tokens.ts'
import type { MemberRecord } from '#server/store/accounts/members.ts'
import type { TimeZone } from '#time/time-zone.ts'

/** The data of `/login`. */
export interface LoginView {
  /** The identity provider's name; absent if there is none. */
  providerName?: string | undefined
  /** How many hours a mailed link for a new password works; absent without a mail server. */
  mailedLinkHours?: number | undefined
}

/** The data of `/setup`. */
export interface SetupView {
  /** False once an account exists: the page then only links to `/login`. */
  isOpen: boolean
  /** True if setup is closed because the accounts were lost with a damaged database. */
  areAccountsLost: boolean
  /** True if the token in the URL is valid. */
  isTokenRight: boolean
  /** The problem of the link; absent for a URL without one. */
  tokenProblem?: string
}

/** The data of `/invite/$token`; `undefined` for an unknown, used or expired link. */
export interface InviteView {
  invite?: {
    organizationName: string
    role: string
    expiresAt: number
    /** The invited address, if the inviting user entered one. */
    email?: string
  }
  /** Set for an invitation that has expired. */
  expiredAt?: number | undefined
  /** The signed-in user, who would join with this account. */
  viewer?: { name: string; email: string; isMember: boolean }
}

/** The data of `/password/$token`. */
export interface PasswordLinkView {
  /** The user whose password it sets; absent for an unknown, used or expired link. */
  email?: string
  /** True if `/forgot-password` mails a new link. */
  canMailLink: boolean
}

/** The data of `/settings`. */
export interface AccountSettingsView {
  now: number
  name: string
  email: string
  hasTwoFactor: boolean
  hasShortcuts: boolean
  /** The user's time zone; absent for the browser's. */
  timeZone?: TimeZone
  /** The available time zones. */
  timeZones: readonly TimeZone[]
  /** False for users who sign in only at the identity provider. */
  hasPassword: boolean
  /** Number of API tokens, which a new password revokes. */
  tokenCount: number
  memberships: { organizationSlug: string; organizationName: string; role: string }[]
  /** True for an admin or owner of an organization. */
  canConfigure: boolean
  sessions: SessionView[]
}

/** A signed-in browser. */
export interface SessionView {
  id: string
  isCurrent: boolean
  /** `Firefox on Ubuntu`. */
  device: string
  address?: string
  createdAt: number
  usedAt: number
}

/** The data of `/settings/members`: the organizations in which the viewer manages members. */
export interface MembersView {
  now: number
  organizations: OrganizationMembers[]
}

/** An organization with its members. */
export interface OrganizationMembers {
  id: number
  name: string
  /** The viewer's own role: only owners can grant the role of owner. */
  role: Role
  members: MemberRecord[]
  invites: { id: string; role: string; note: string; createdAt: number; expiresAt: number }[]
  projects: { id: number; name: string }[]
}

/** The data of `/settings/tokens`. */
export interface ApiTokensView {
  now: number
  /** The value for the tools' `SENTRY_URL`. */
  origin: string
  /** The organizations that a token has access to. */
  organizationSlugs: string[]
  /** True for an admin or owner of an organization. */
  canConfigure: boolean
  /** The scopes that the viewer's role can use. */
  scopes: string[]
  /** Newest first. */
  tokens: ApiTokenRow[]
}
