import { toRepositoryPath, type SourceRoot } from '#source-links/source-link.ts'
import { findCodeOwnersLines, type CodeOwnersLine } from './code-owners.ts'
import { findOwnershipRule, type OwnershipRule, type OwnershipSubject } from './ownership-rules.ts'

/** The parsed ownership of a project. */
export interface Ownership {
  rules: readonly OwnershipRule[]
  codeOwners: readonly CodeOwnersLine[]
  roots: readonly SourceRoot[]
}

/** Owners, as they were written, and where. */
export interface FoundOwners {
  /** Each once; the first one is assigned. */
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
 * The owners of an event: those of the last ownership rule that matches; without one, those that CODEOWNERS
 * names for the frame nearest to the error that it knows. Undefined where nothing names an owner.
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
    // A line without owners says that the path has none.
    if (owners.length === 0) return undefined
    return { owners, source: 'codeowners', line: first.line, text: first.text }
  }
  return undefined
}

/**
 * The user that an owner names: by the e-mail address, or by the name, whatever its case and the signs
 * between its words. Undefined for a team, and where two users have the name.
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
