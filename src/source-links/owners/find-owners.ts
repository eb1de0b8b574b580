import { toRepositoryPath, type SourceRoot } from '#source-links/source-link.ts'
import { findCodeOwnersLines, type CodeOwnersLine } from './code-owners.ts'
import { findOwnershipRule, type OwnershipRule, type OwnershipSubject } from './ownership-rules.ts'

/** The parsed ownership of a project. */
export interface Ownership {
  rules: readonly OwnershipRule[]
  codeOwners: readonly CodeOwnersLine[]
  roots: readonly SourceRoot[]
}

/** Owners as written, and the line that names them. */
export interface FoundOwners {
  /** Without duplicates; the first one is assigned. */
  owners: string[]
  source: 'rules' | 'codeowners'
  line: number
  text: string
}

/** A user who may be an owner. */
export interface OwnerCandidate {
  userId: string
  name: string
  email: string
}

/**
 * The owners of an event: those of the last matching ownership rule; without one, those that CODEOWNERS names
 * for the frame nearest to the error that it covers. Undefined if nothing names an owner.
 */
export function findOwners(
  { rules, codeOwners, roots }: Ownership,
  subject: OwnershipSubject,
): FoundOwners | undefined {
  const rule = findOwnershipRule(rules, subject)
  if (rule !== undefined)
    return { owners: [...new Set(rule.owners)], source: 'rules', line: rule.line, text: rule.text }
  for (const path of subject.paths) {
    const file = toRepositoryPath(path, roots)
    const lines = file === undefined ? [] : findCodeOwnersLines(codeOwners, file)
    const [first] = lines
    if (first === undefined) continue
    const owners = [...new Set(lines.flatMap((line) => line.owners))]
    // A line without owners states that the path has none.
    if (owners.length === 0) return undefined
    return { owners, source: 'codeowners', line: first.line, text: first.text }
  }
  return undefined
}

/**
 * The user that an owner names: by email address, or by name, ignoring case and the separators between its
 * words. Undefined for a team, and if two users have the name.
 */
export function findOwnerUser<User extends OwnerCandidate>(
  owner: string,
  users: readonly User[],
): User | undefined {
  const name = owner.replace(/^(?:user:|@)/, '')
  if (name.includes('@')) return users.find(({ email }) => email.toLowerCase() === name.toLowerCase())
  if (owner.startsWith('#') || owner.startsWith('team:') || plain(name) === '') return undefined
  const named = users.filter((user) => plain(user.name) === plain(name))
  return named.length === 1 ? named[0] : undefined
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s._-]/g, '')
}
