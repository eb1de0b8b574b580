import { OperatorError } from '#server/errors.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { Store } from '#server/store/store.ts'

/** What is wrong with the arguments of a command, gathered so that all of it is told at once. */
export class Problems {
  private readonly texts: string[] = []

  /** Notes one. Returns undefined, so that a parser can return what it returns. */
  add(text: string): undefined {
    this.texts.push(text)
  }

  /** Raises an `OperatorError` (exit code 2) with all of them, if there are any. */
  throwIfAny(usage: string): void {
    if (this.texts.length > 0) throw new OperatorError(`${this.texts.join('\n')}\nUsage: ${usage}`, 2)
  }
}

/** A public key in lower case; notes a problem with `name` when it is none. */
export function parseKey(text: string, name: string, problems: Problems): string | undefined {
  if (/^[0-9a-f]{32}$/i.test(text)) return text.toLowerCase()
  return problems.add(`${name} is ${JSON.stringify(text)}: it must be 32 hexadecimal digits.`)
}

/** A whole number of at least 1; notes a problem with `name` when it is none. */
export function parseCountOption(text: string, name: string, problems: Problems): number | undefined {
  const count = Number(text)
  if (/^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(count)) return count
  return problems.add(
    `${name} is ${JSON.stringify(text)}: it must be a whole number from 1. Example: ${name} 42`,
  )
}

/**
 * The text that names a project, where it must be the only argument; notes a problem, and gives an empty
 * text, otherwise.
 */
export function parseOneProject(positionals: readonly string[], problems: Problems): string {
  const [text = '', ...more] = positionals
  if (text === '' || more.length > 0) problems.add('One project is needed: its id or its slug.')
  return text
}

/**
 * The project that an argument names, by its id or its slug. Raises an `OperatorError` when there is none.
 */
export async function requireProject({ db }: Store, text: string): Promise<ProjectName> {
  const projects = await listProjectNames(db)
  const project = projects.find(({ id }) => String(id) === text) ?? projects.find(({ slug }) => slug === text)
  if (project !== undefined) return project
  throw new OperatorError(
    `Unknown project ${JSON.stringify(text)}. Name it by its id or slug; "culvert project list --json" shows both.`,
  )
}
