import type { FindingList } from '#server/scrub/finding-list.ts'

/**
 * Digits without separators, or in groups separated by the same space of any width, dash or dot; no decimals.
 * A word may be adjacent, but not the letters of a hexadecimal id.
 */
const candidate =
  /(?=\d)(?:(?<!\w|\d[.-])|(?<=(?<!\w)[A-Za-z]{3,16}))(?:\d{14,19}|\d{3,6}([ \u00a0\u202f-])\d{3,6}(?:\1\d{3,6}){1,4}|\d{4}(?:(?:\.\d{4}){3}(?:\.\d{3})?|\.\d{6}\.\d{4,5}))(?![\d_]|\.\d|[A-Fa-f]{1,8}\d)/g

/**
 * Visa, Mastercard, Discover and JCB with 16 digits, American Express with 15, Diners Club with 14, UnionPay
 * with 16 to 19: Relay's list, and newer ranges.
 */
const issuer =
  /^(?:4\d{15}|5[1-5]\d{14}|222[1-9]\d{12}|22[3-9]\d{13}|2[3-6]\d{14}|27[01]\d{13}|2720\d{12}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|62\d{14,17})$/

/** Visa with 19 digits: only in groups, because many systems have ids of 19 digits. */
const groupedIssuer = /^4\d{18}$/

/**
 * Finds payment card numbers: an issuer's prefix, the right length, and a valid check digit (Luhn, ISO/IEC
 * 7812). The check digit distinguishes them from order numbers, but one in ten numbers with a card's prefix
 * still matches.
 */
export function findCardNumbers(text: string, findings: FindingList): void {
  findings.search(text, candidate, ({ 0: found, 1: separator, index }) => {
    const window = findCard(found, separator ?? (found.includes('.') ? '.' : undefined))
    if (window === undefined) return
    findings.add(index + window.start, index + window.end, 'creditcard')
  })
}

/** A card number within groups of digits: a security code may precede or follow it. */
function findCard(found: string, separator: string | undefined): { start: number; end: number } | undefined {
  if (separator === undefined) return isCardNumber(found) ? { start: 0, end: found.length } : undefined
  const groups = found.split(separator)
  let start = 0
  for (let first = 0; first < groups.length; first += 1) {
    let digits = ''
    for (let last = first; last < groups.length && digits.length < 19; last += 1) {
      digits += groups[last] ?? ''
      if (isCardNumber(digits) || isLongVisa(digits))
        return { start, end: start + digits.length + last - first }
    }
    start += (groups[first] ?? '').length + 1
  }
  return undefined
}

/** True for the digits of a card, without separators. */
export function isCardNumber(digits: string): boolean {
  return digits.length >= 14 && issuer.test(digits) && hasCheckDigit(digits)
}

function isLongVisa(digits: string): boolean {
  return groupedIssuer.test(digits) && hasCheckDigit(digits)
}

function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 0x30
    const doubled = digit * 2
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
