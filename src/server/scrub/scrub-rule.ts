/**
 * The scrubbing rules, each with its mark and its name in `_meta`.
 *
 * Names and marks are Relay's (relay-pii, `builtin.rs`) if it has the rule; `token` extends its `@bearer` by
 * the formats of well-known services' tokens. `isOn` is the default of a project without its own settings, as
 * in Relay.
 */
export const scrubRules = {
  /** Values under a secret name, and values assigned to such a name within a text. */
  password: { remark: '@password:filter', mark: '[Filtered]', isOn: true },
  /** Values of session cookies and of cookies against forged requests. */
  cookie: { remark: '@anything:filter', mark: '[Filtered]', isOn: true },
  /** The password in `scheme://user:password@host`. */
  urlauth: { remark: '@urlauth:legacy', mark: '[Filtered]', isOn: true },
  /** Values under the project's own field names. */
  fields: { remark: 'strip-fields', mark: '[Filtered]', isOn: true },
  /** Bearer and basic credentials, JSON web tokens, and tokens with a recognizable format. */
  token: { remark: '@bearer:replace', mark: '[token]', isOn: true },
  creditcard: { remark: '@creditcard:replace', mark: '[creditcard]', isOn: true },
  iban: { remark: '@iban:replace', mark: '[iban]', isOn: true },
  pemkey: { remark: '@pemkey:replace', mark: '[pemkey]', isOn: true },
  /** The user name in `/Users/person`, `/home/person`, `C:\Users\person`. */
  userpath: { remark: '@userpath:replace', mark: '[user]', isOn: true },
  usssn: { remark: '@usssn:replace', mark: '[us-ssn]', isOn: true },
  email: { remark: '@email:replace', mark: '[email]', isOn: false },
  ip: { remark: '@ip:replace', mark: '[ip]', isOn: false },
  imei: { remark: '@imei:replace', mark: '[imei]', isOn: false },
  mac: { remark: '@mac:replace', mark: '[mac]', isOn: false },
  uuid: { remark: '@uuid:replace', mark: '[uuid]', isOn: false },
} as const satisfies Record<string, { remark: string; mark: string; isOn: boolean }>

export type ScrubRule = keyof typeof scrubRules

/** True for the name of a rule. */
export function isScrubRule(name: string): name is ScrubRule {
  return Object.hasOwn(scrubRules, name)
}

/** All rules, in the order of the screen. */
export const scrubRuleNames: readonly ScrubRule[] = Object.keys(scrubRules).filter(isScrubRule)

/** A part of a text to replace, in UTF-16 units. */
export interface Finding {
  start: number
  end: number
  rule: ScrubRule
}

const marks: readonly string[] = [...new Set(Object.values(scrubRules).map(({ mark }) => mark))]
const anyMark = new RegExp(marks.map((mark) => RegExp.escape(mark)).join('|'), 'g')

/** True if a text is exactly one mark. */
export function isMark(text: string): boolean {
  return marks.includes(text)
}

/** True if a mark begins at `at`: an already scrubbed value is not a secret. */
export function isMarkAt(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0x5b && marks.some((mark) => text.startsWith(mark, at))
}

/** A name without its marks, whose words (`[token]`) do not describe the value. */
export function withoutMarks(name: string): string {
  return name.includes('[') ? name.replaceAll(anyMark, ' ') : name
}
