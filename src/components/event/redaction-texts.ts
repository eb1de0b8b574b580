import type { TextMarks } from '#components/ui/marked-text.tsx'
import type { Redaction } from '#protocol/event.ts'

interface RuleText {
  reason: string
  /** The placeholder in the value's position. */
  mark: string
}

/** By the prefix of a rule's name in `_meta`; the part after the colon is the method. */
const rules: Record<string, RuleText> = {
  '@password': { reason: 'sensitive field name', mark: '[Filtered]' },
  'strip-fields': { reason: 'project’s secret field name', mark: '[Filtered]' },
  '@anything': { reason: 'session cookie or IP address', mark: '[Filtered]' },
  '@urlauth': { reason: 'password in a URL', mark: '[Filtered]' },
  '@bearer': { reason: 'access token', mark: '[token]' },
  '@creditcard': { reason: 'payment card number', mark: '[creditcard]' },
  '@iban': { reason: 'bank account number', mark: '[iban]' },
  '@pemkey': { reason: 'private key', mark: '[pemkey]' },
  '@userpath': { reason: 'username in a path', mark: '[user]' },
  '@usssn': { reason: 'US social security number', mark: '[us-ssn]' },
  '@email': { reason: 'email address', mark: '[email]' },
  '@ip': { reason: 'IP address', mark: '[ip]' },
  '@imei': { reason: 'phone IMEI', mark: '[imei]' },
  '@mac': { reason: 'MAC address', mark: '[mac]' },
  '@uuid': { reason: 'UUID', mark: '[uuid]' },
}

/** The reason for scrubbing a value, in words; an unknown rule is shown by name. */
export function redactionReason(rule: string): string {
  return findRule(rule)?.reason ?? `by the rule ${rule}, before Culvert received it`
}

/** The marks that an event's texts may have, each with its reasons. */
export function redactionMarks(redactions: readonly Redaction[]): TextMarks {
  const marks = new Map<string, string>()
  for (const rule of new Set(redactions.flatMap((redaction) => redaction.rules))) {
    const found = findRule(rule)
    if (found === undefined) continue
    const { mark, reason } = found
    const earlier = marks.get(mark)
    marks.set(mark, earlier === undefined ? `Scrubbed: ${reason}` : `${earlier}, or ${reason}`)
  }
  return marks
}

function findRule(rule: string): RuleText | undefined {
  const name = rule.split(':', 1)[0] ?? ''
  return Object.hasOwn(rules, name) ? rules[name] : undefined
}
