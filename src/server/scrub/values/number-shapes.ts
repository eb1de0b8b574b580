import type { FindingList } from '#server/scrub/finding-list.ts'
import type { ScrubRule } from '#server/scrub/scrub-rule.ts'

/**
 * Without numbers that the Social Security Administration never assigns: area 000, 666 or 9xx, group 00,
 * serial 0000.
 */
const socialSecurity = /(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|\.\d)/g

/** Finds US social security numbers, `078-05-1120`. */
export function findSocialSecurityNumbers(text: string, findings: FindingList): void {
  addMatches(text, socialSecurity, { rule: 'usssn', findings })
}

const email =
  /(?<![\w.+%-])[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[A-Za-z]{2,24}(?![\w-])/g
const imei = /(?<![\w-])\d{2}-?\d{6}-?\d{6}-?\d{1,2}(?![\w-])/g
const mac = /(?<![\w:-])(?:[\da-fA-F]{2}[:-]){5}[\da-fA-F]{2}(?![\w:-])/g
const uuid = /(?<![\w-])[\da-fA-F]{8}-?[\da-fA-F]{4}-?[\da-fA-F]{4}-?[\da-fA-F]{4}-?[\da-fA-F]{12}(?![\w-])/g

/** Finds values that are scrubbed only if a project enables their rules. */
export function findOptionalShapes(text: string, rules: ReadonlySet<ScrubRule>, findings: FindingList): void {
  if (rules.has('email') && text.includes('@')) addMatches(text, email, { rule: 'email', findings })
  if (rules.has('imei')) addMatches(text, imei, { rule: 'imei', findings })
  if (rules.has('mac')) addMatches(text, mac, { rule: 'mac', findings })
  if (rules.has('uuid')) addMatches(text, uuid, { rule: 'uuid', findings })
}

function addMatches(
  text: string,
  shape: RegExp,
  { rule, findings }: { rule: ScrubRule; findings: FindingList },
): void {
  findings.search(text, shape, ({ 0: found, index }) => {
    findings.add(index, index + found.length, rule)
  })
}
