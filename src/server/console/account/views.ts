import type { Role } from '#server/auth/roles.ts'
import type { ApiTokenRow } from '#server/store/accounts/api-tokens.ts'
import type { MemberRecord } from '#server/store/accounts/members.ts'
import type { TimeZone } from '#time/time-zone.ts'

/** What `/login` shows. */
export interface LoginView {
  /** The identity provider's name; absent where there is none. */
  providerName?: string
}

/** What `/setup` shows. */
export interface SetupView {
  /** False once there is an account: the page then only points to `/login`. */
  isOpen: boolean
  /** Closed because the accounts were lost with a damaged database. */
  areAccountsLost: boolean
  /** The token in the address is the one that the server printed. */
  isTokenRight: boolean
  /** The problem of the link; absent for an address without one. */
  tokenProblem?: string
}

/** What `/invite/$token` shows; `undefined` for a link that was used, has expired or never was. */
export interface InviteView {
  invite?: {
    organizationName: string
    role: string
    expiresAt: number
    /** Of the person it is meant for, where its maker wrote it. */
    email?: string
  }
  /** Of an invitation that was not used in time. */
  expiredAt?: number | undefined
  /** Who is signed in already, and would join with this account. */
  viewer?: { name: string; email: string; isMember: boolean }
}

/** What `/password/$token` shows. */
export interface PasswordLinkView {
  /** Whose password it sets; absent for a link that was used, has expired or never was. */
  email?: string
}

/** What `/settings` shows: one's own account. */
export interface AccountSettingsView {
  now: number
  name: string
  email: string
  hasTwoFactor: boolean
  hasShortcuts: boolean
  /** The zone in which one's times are written; absent: the browser's. */
  timeZone?: TimeZone
  /** The zones that can be chosen. */
  timeZones: readonly TimeZone[]
  /** False for users who sign in only at the identity provider. */
  hasPassword: boolean
  /** Tokens for the API, which a new password revokes. */
  tokenCount: number
  memberships: { organizationSlug: string; organizationName: string; role: string }[]
  /** One looks after an organization. */
  mayConfigure: boolean
  sessions: SessionView[]
}

/** A browser that is signed in. */
export interface SessionView {
  id: string
  isCurrent: boolean
  /** `Firefox on Ubuntu`. */
  device: string
  address?: string
  createdAt: number
  usedAt: number
}

/** What `/settings/members` shows: the organizations in which the viewer manages members. */
export interface MembersView {
  now: number
  organizations: OrganizationMembers[]
}

/** An organization with its members. */
export interface OrganizationMembers {
  id: number
  name: string
  /** The viewer's own role: only owners make owners. */
  role: Role
  members: MemberRecord[]
  invites: { id: string; role: string; note: string; createdAt: number; expiresAt: number }[]
  projects: { id: number; name: string }[]
}

/** What `/settings/tokens` shows: one's own tokens for the API. */
export interface ApiTokensView {
  now: number
  /** Where the API is: what tools call `SENTRY_URL`. */
  origin: string
  /** The organizations whose projects a token reaches. */
  organizationSlugs: string[]
  /** One looks after an organization. */
  mayConfigure: boolean
  /** Newest first. */
  tokens: ApiTokenRow[]
}
