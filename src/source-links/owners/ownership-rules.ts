import { matchesGlob } from './glob.ts'
import { listLines, type LineProblem, type OwnerLine } from './owner-line.ts'

/** The properties of an event by which its owners are found. */
export interface OwnershipSubject {
  /** Paths of the in-app frames, nearest to the error first. */
  paths: readonly string[]
  modules: readonly string[]
  url?: string
  tags: Readonly<Record<string, string>>
}

/** Maximum number of paths and modules of one subject. */
const comparedNames = 30

/** The subject of an event, from its traits (a line per word and value, see `eventTraits`) and its tags. */
export function toOwnershipSubject(
  traits: string,
  tags: readonly (readonly [key: string, value: string])[],
): OwnershipSubject {
  const valuesOf = (word: string) =>
    traits
      .split('\n')
      .flatMap((line) => (line.startsWith(`${word}\t`) ? line.slice(word.length + 1) : []))
      .slice(0, comparedNames)
  const byKey = Object.fromEntries(tags)
  return {
    paths: valuesOf('stack.filename'),
    modules: valuesOf('stack.module'),
    url: byKey['url'],
    tags: byKey,
  }
}

/** A rule in Sentry's syntax. */
export interface OwnershipRule extends OwnerLine {
  matcher: { kind: 'path' | 'module' | 'url' } | { kind: 'tag'; key: string }
  /** `*` also matches slashes. */
  glob: string
}

/** Parsed rules; invalid lines are left out. */
export interface OwnershipRules {
  lines: OwnershipRule[]
  problems: LineProblem[]
}

/** Parses rules such as `path:src/cart/* ada@example.com #checkout`. */
export function parseOwnershipRules(text: string): OwnershipRules {
  const lines: OwnershipRule[] = []
  const problems: LineProblem[] = []
  for (const { line, text: written } of listLines(text)) {
    const [, kind = '', quoted, bare, rest = ''] =
      /^([\w.-]+):(?:"([^"]*)"|(\S+))(?:\s+(.*))?$/.exec(written) ?? []
    const owners = rest.split(/\s+/).filter((word) => word !== '')
    const matcher = toMatcher(kind)
    const message = findProblem({ kind, isKnown: matcher !== undefined, owners })
    if (message !== undefined || matcher === undefined) problems.push({ line, message: message ?? '' })
    else lines.push({ line, text: written, owners, matcher, glob: quoted ?? bare ?? '' })
  }
  return { lines, problems }
}

function findProblem(read: {
  kind: string
  isKnown: boolean
  owners: readonly string[]
}): string | undefined {
  if (read.kind === '') return 'Write path:, module:, url: or tags.NAME:, a pattern, and owners.'
  if (!read.isKnown) return `"${read.kind.slice(0, 100)}" is unknown: write path, module, url or tags.NAME.`
  if (read.owners.length === 0) return 'Name an owner after the pattern.'
  const wrong = read.owners.find(
    (owner) => !/^#\S+$|^@\S+$|^(?:user|team):\S+$|^[^\s@#]+@[^\s@]+$/.test(owner),
  )
  return wrong === undefined
    ? undefined
    : `"${wrong.slice(0, 100)}" is not an owner. Write an email address, @name or #team.`
}

function toMatcher(kind: string): OwnershipRule['matcher'] | undefined {
  if (kind === 'path' || kind === 'module' || kind === 'url') return { kind }
  return kind.startsWith('tags.') && kind.length > 5 ? { kind: 'tag', key: kind.slice(5) } : undefined
}

/** The last matching rule, which takes precedence. */
export function findOwnershipRule(
  rules: readonly OwnershipRule[],
  subject: OwnershipSubject,
): OwnershipRule | undefined {
  return rules.findLast(({ matcher, glob }) =>
    listValues(matcher, subject).some((value) => matchesGlob(glob, value)),
  )
}

function listValues(matcher: OwnershipRule['matcher'], subject: OwnershipSubject): readonly string[] {
  switch (matcher.kind) {
    case 'path':
      return subject.paths
    case 'module':
      return subject.modules
    case 'url':
      return subject.url === undefined ? [] : [subject.url]
    case 'tag':
  }
  const value = Object.hasOwn(subject.tags, matcher.key) ? subject.tags[matcher.key] : undefined
  return value === undefined ? [] : [value]
}
