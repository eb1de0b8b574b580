import type { SearchExpression, VersionComparison } from './term.ts'
import type { ValuePattern } from './value-pattern.ts'
import { read, readValues, invalid, type Read } from './values.ts'

/** A piece of the name of a release: `package@version+build`, or a version alone. */
export type ReleasePart = 'version' | 'package' | 'build'

/** Reads `1.4.*`, or for a version `>=1.4.0`. */
export function readReleasePart(name: string, text: string, part: ReleasePart): Read<SearchExpression> {
  const [, sign = '', version = ''] = /^(>=|<=|>|<)(.+)$/.exec(text) ?? []
  const comparison = comparisons.find((each) => each === sign)
  if (comparison !== undefined && part === 'version')
    return /^v?\d[\w.+-]*$/.test(version)
      ? read({ kind: 'term', condition: { kind: 'version', comparison, version } })
      : invalid(`${name} compares versions, such as ${name}:>=1.4.0.`)
  if (comparison !== undefined)
    return invalid(`${name} needs a complete value or wildcards, without ${comparison}.`)
  const found = readValues(name, text)
  if (!found.ok) return found
  const values = found.value.flatMap((value) => releasesWith(value, part))
  return read({ kind: 'term', condition: { kind: 'tag', key: 'release', values } })
}

const comparisons: readonly VersionComparison[] = ['>', '>=', '<', '<=']

/** A release is `package@version+build`, or a version alone. */
function releasesWith(value: ValuePattern, part: ReleasePart): ValuePattern[] {
  const before = (begin: string): string[] => {
    const [first = '', ...rest] = value.pieces
    return [`${begin}${first}`, ...rest]
  }
  switch (part) {
    case 'package':
      return [{ pieces: followedBy(before(''), '@') }]
    case 'build':
      return [{ pieces: ['', ...before('+')] }]
    case 'version':
      break
  }
  const named = ['', ...before('@')]
  return [
    { pieces: named },
    { pieces: followedBy(named, '+') },
    value,
    { pieces: followedBy(before(''), '+') },
  ]
}

function followedBy(pieces: readonly string[], end: string): string[] {
  return [...pieces.slice(0, -1), `${pieces.at(-1) ?? ''}${end}`, '']
}
