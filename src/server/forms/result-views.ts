/** A second factor that has been made and waits for its first code. */
export interface TwoFactorSetup {
  /** `otpauth://…`, what the QR code says. */
  uri: string
  /** For typing it in. */
  secret: string
  /** Each lets its owner in once without the authenticator. */
  recoveryCodes: string[]
  /** The dark squares as an SVG path in units of one square. */
  qrCode: { size: number; path: string }
}

/** The effect of rules on an event. */
export interface GroupingTrialResult {
  eventId: string
  title: string
  hash: string
  mechanism: string
  /** The part that decided: the fingerprint, the exceptions … */
  source: string
  /** The rules that hold now make the same hash. */
  isAsNow: boolean
  /** The issue that the hash leads to; absent: it would be a new one. */
  issue?: { issueId: string; title: string; subtitle: string }
  /** The rule for fingerprints that fits. */
  fingerprintRule?: TriedRule
  /** With its variables filled in. */
  fingerprint?: string[]
  /** Where it happened first. */
  frames: TriedFrame[]
}

/** A rule, and its line. */
export interface TriedRule {
  line: number
  text: string
}

/** A frame and what rules made of it. */
export interface TriedFrame {
  /** The exception or thread that it is of. */
  of: string
  function: string
  module?: string
  path?: string
  isApp: boolean
  /** Without the rules. */
  wasApp: boolean
  /** Grouping may use it. */
  isGrouped: boolean
  /** The rule that decided. */
  rule?: TriedRule
}

/** The owners that rules name for an event. */
export interface OwnershipTrialResult {
  eventId: string
  /** Paths of in-app frames, nearest to the error first. */
  paths: string[]
  owners: { name: string; user?: { userId: string; name: string } }[]
  /** The line that names them; absent where none matches. */
  rule?: TriedRule & { source: 'rules' | 'codeowners' }
}

/** The data that settings would scrub from a stored event. */
export interface ScrubbingTrialResult {
  eventId: string
  /** The first of them. Texts are cut; `after` is empty where nothing is left. */
  changes: { path: string; before: string; after: string }[]
  changeCount: number
}
