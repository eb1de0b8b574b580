import { isIP } from 'node:net'
import type { FindingList } from '#server/scrub/finding-list.ts'

/** Runs of characters of addresses, which `isIP` then checks. Longer runs are not addresses. */
const run = /[\da-fA-F:.]{2,}/g
const longestAddress = 45

/** Finds IPv4 and IPv6 addresses, with or without a port. Versions of three numbers are not addresses. */
export function findIpAddresses(text: string, findings: FindingList): void {
  findings.search(text, run, ({ 0: found, index }) => {
    const isWithinWord =
      isWordCode(text.charCodeAt(index - 1)) || isWordCode(text.charCodeAt(index + found.length))
    const length = isWithinWord || isBrowserVersion(text, index) ? 0 : addressLength(found)
    if (length > 0) findings.add(index, index + length, 'ip')
  })
}

/** `Chrome/140.0.0.0` looks like an address. */
function isBrowserVersion(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === 0x2f && product.test(text.slice(Math.max(0, at - 24), at))
}

const product =
  /(?:Chrome|Chromium|Edge?|EdgA|EdgiOS|OPR|OPT|CriOS|FxiOS|Electron|Silk|Vivaldi|Whale|GSA|Opera|Firefox|Safari|Version|[A-Za-z]Browser)\/$/

function addressLength(found: string): number {
  if (found.length < 3 || !/\d/.test(found) || found.length > longestAddress + 6) return 0
  const sentence = found.replace(/[.:]$/, '')
  if (isIP(sentence) > 0) return sentence.length
  const port = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(sentence)
  return port?.[1] !== undefined && isIP(port[1]) > 0 ? port[1].length : 0
}

/** True for a letter, a digit, an underscore or a dash. */
function isWordCode(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f ||
    code === 0x2d
  )
}
