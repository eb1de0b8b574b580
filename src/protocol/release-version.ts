/**
 * The parts of a release name: `shop@1.4.0-rc.1+52`, `1.4.0`, `3e1c8b…`. Sentry's convention, after Semantic
 * Versioning. https://docs.sentry.io/product/releases/naming-releases/
 */
export interface ReleaseVersion {
  /** The part before the last `@`; empty without one. */
  package: string
  /** The part after it. */
  version: string
  /**
   * A sort key: compared as plain text it orders versions of one package. Equal for builds of a version that
   * are not only numbers. Absent for names that are not versions, such as a commit hash. ASCII, so that
   * JavaScript and a database agree.
   */
  order?: string
}

/** Parses a release's name. Any text is valid. */
export function parseReleaseVersion(name: string): ReleaseVersion {
  const at = name.lastIndexOf('@')
  const version = name.slice(at + 1)
  const order = toOrder(version)
  return { package: name.slice(0, Math.max(0, at)), version, order }
}

/** The part of an order before the build, with which the orders of all builds of a version begin. */
export function orderOfBuilds(order: string): string {
  return order.slice(0, order.indexOf(' ') + 1)
}

/** The end of the orders that begin with `orderOfBuilds`, exclusive. */
export function endOfBuilds(builds: string): string {
  return `${builds}~`
}

/** True for an order whose build is not only numbers, such as a commit hash. */
export function hasNamedBuild(order: string): boolean {
  return order.endsWith(` ${namedBuild}`)
}

/**
 * The order of all builds that are not only numbers, after those that are. They have no order of their own:
 * where two orders are equal, dates decide, as in an index with the date behind.
 */
const namedBuild = '1'

/**
 * Up to four numbers, the prerelease (`-rc.1`, Python's `rc1`) and the build. Builds count here, unlike in
 * Semantic Versioning: of an app's `1.4.0+51` and `1.4.0+52` the second is newer.
 */
const pattern =
  /^v?(\d{1,15}(?:\.\d{1,15}){0,3})(?:-([0-9A-Za-z.-]+)|([A-Za-z][0-9A-Za-z.-]*))?(?:\+([0-9A-Za-z.-]+))?$/

/** A single short number is a version; a longer one is a date, or a commit hash without letters. */
const loneNumberDigits = 6

function toOrder(version: string): string | undefined {
  const found = pattern.exec(version)
  if (!found) return undefined
  const [, numbers = '', hyphenated, attached, build] = found
  const isLone = !numbers.includes('.')
  if (isLone && (numbers.length > loneNumberDigits || attached !== undefined)) return undefined
  const counted = numbers.split('.').map(orderNumber)
  while (counted.length < 4) counted.push(orderNumber('0'))
  const before = hyphenated ?? attached
  // A release sorts after its pre-releases.
  const stage = before === undefined ? '~' : `-${before.split('.').map(orderPart).join('')}`
  return `${counted.join('')}${stage} ${build === undefined ? '' : orderOfBuild(build)}`
}

function orderOfBuild(build: string): string {
  const parts = build.split('.').map(orderPart)
  return parts.every((part) => part.startsWith('0')) ? parts.join('') : namedBuild
}

/**
 * Numbers before words, per Semantic Versioning 2.0.0, paragraph 11; `!` sorts before all characters that may
 * follow.
 */
function orderPart(part: string): string {
  return /^\d{1,15}$/.test(part) ? `0${orderNumber(part)}!` : `1${part}!`
}

/** The length of a number is its prefix, so that 10 sorts after 9. */
function orderNumber(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '')
  return `${String.fromCodePoint(96 + plain.length)}${plain}`
}
