import { matchesPath } from './glob.ts'
import { isOwnerName, listLines, splitWords, type LineProblem, type OwnerLine } from './owner-line.ts'

/** A line of CODEOWNERS. */
export interface CodeOwnersLine extends OwnerLine {
  /** The GitLab section that contains it. */
  section: string
  /** In two forms: for the file itself, and for everything below a folder of that name. */
  patterns: string[][]
}

/** A file in GitHub's or GitLab's syntax. Invalid lines are left out. */
export interface CodeOwners {
  lines: CodeOwnersLine[]
  problems: LineProblem[]
}

/**
 * Parses CODEOWNERS: a pattern and owners on each line, with GitLab's sections. A line that neither host
 * supports is a problem.
 */
export function parseCodeOwners(text: string): CodeOwners {
  const lines: CodeOwnersLine[] = []
  const problems: LineProblem[] = []
  let section = ''
  let defaults: string[] = []
  for (const { line, text: written } of listLines(text)) {
    const heading = /^\^?\[([^\]]+)\](?:\[\d{1,3}\])?(?:\s+(.*))?$/.exec(written)
    const [pattern = '', ...rest] = splitWords(heading === null ? written : `- ${heading[2] ?? ''}`)
    const comment = rest.findIndex((word) => word.startsWith('#'))
    const named = comment === -1 ? rest : rest.slice(0, comment)
    const message = named.every(isOwnerName)
      ? heading
        ? undefined
        : findProblem(pattern)
      : unknownOwner(named)
    if (message !== undefined) problems.push({ line, message })
    else if (heading === null) {
      const owners = named.length > 0 ? named : defaults
      lines.push({ line, text: written, section, owners, patterns: toPatterns(pattern) })
    } else {
      section = heading[1]?.toLowerCase() ?? ''
      defaults = named
    }
  }
  return { lines, problems }
}

function unknownOwner(names: readonly string[]): string {
  const name = names.find((word) => !isOwnerName(word)) ?? ''
  return `"${name.slice(0, 100)}" is not an owner. Write an email address or a name with @.`
}

function findProblem(pattern: string): string | undefined {
  if (pattern.startsWith('!')) return 'Exclusions (!) are not supported.'
  if (pattern.includes('[')) return 'Character ranges ([…]) are not supported.'
  return undefined
}

/**
 * As in gitignore: a pattern with a slash before its end is relative to the repository, any other matches in
 * every folder. It matches a file, and all files below a folder; `docs/*` does not match deeper files.
 */
function toPatterns(pattern: string): string[][] {
  const isFolder = pattern.endsWith('/')
  const parts = pattern.split('/').filter((part) => part !== '')
  const isAnchored = pattern.replace(/\/$/, '').includes('/')
  const from = isAnchored ? parts : ['**', ...parts]
  const below = [...from, '**', '*']
  if (isFolder || parts.length === 0) return [below]
  return parts.at(-1)?.includes('*') === true && parts.at(-1) !== '**' && isAnchored ? [from] : [from, below]
}

/** The lines with the owners of a path in the repository: the last match of each section. */
export function findCodeOwnersLines(lines: readonly CodeOwnersLine[], path: string): CodeOwnersLine[] {
  const parts = path.split('/')
  const found = new Map<string, CodeOwnersLine>()
  for (const line of lines.toReversed())
    if (!found.has(line.section) && line.patterns.some((pattern) => matchesPath(pattern, parts)))
      found.set(line.section, line)
  return [...found.values()].toSorted((one, other) => one.line - other.line)
}
