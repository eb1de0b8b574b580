/** A new second factor that is not confirmed by its first code yet. */
export interface TwoFactorSetup {
  /** `otpauth://…`, the contents of the QR code. */
  uri: string
  /** The secret, for typing it in. */
  secret: string
  /** Each signs the user in once without the authenticator. */
  recoveryCodes: string[]
  /** The dark squares as an SVG path in units of one square. */
  qrCode: { size: number; path: string }
}

/** The effect of rules on a stored event. */
export interface GroupingTrialResult {
  eventId: string
  title: string
  hash: string
  mechanism: string
  /** The part of the event that determined the group: the fingerprint, the exceptions … */
  source: string
  /** True if the saved rules result in the same hash. */
  isAsNow: boolean
  /** The issue of the hash; absent if it would be a new one. */
  issue?: { issueId: string; title: string; subtitle: string }
  /** The matching fingerprint rule. */
  fingerprintRule?: TriedRule
  /** The fingerprint with replaced variables. */
  fingerprint?: string[]
  /** Most recent call first. */
  frames: TriedFrame[]
}

/** A rule, and its line. */
export interface TriedRule {
  line: number
  text: string
}

/** A frame with the result of the rules. */
export interface TriedFrame {
  /** The exception or thread of the frame. */
  of: string
  function: string
  module?: string
  path?: string
  isApp: boolean
  /** In-app without the rules. */
  wasApp: boolean
  /** True if it contributes to grouping. */
  isGrouped: boolean
  /** The last rule that changed it. */
  rule?: TriedRule
}

/** The owners of an event by the entered rules. */
export interface OwnershipTrialResult {
  eventId: string
  /** Paths of in-app frames, nearest to the error first. */
  paths: string[]
  owners: { name: string; user?: { userId: string; name: string } }[]
  /** The line that names them; absent if none matches. */
  rule?: TriedRule & { source: 'rules' | 'codeowners' }
}

/** The data that settings would scrub from a stored event. */
export interface ScrubbingTrialResult {
  eventId: string
  /** The first changes. Texts are truncated; `after` is empty if the value was removed. */
  changes: { path: string; before: string; after: string }[]
  changeCount: number
}
