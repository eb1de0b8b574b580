import { OperatorError } from '#server/errors.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { Store } from '#server/store/store.ts'

/** Problems of a command's arguments, collected to report all of them. */
export class Problems {
  private readonly texts: string[] = []

  /** Adds a problem. Returns undefined, so that a parser can return the result. */
  add(text: string): undefined {
    this.texts.push(text)
  }

  /** Throws an `OperatorError` (exit code 2) with all problems, if there are any. */
  throwIfAny(usage: string): void {
    if (this.texts.length > 0) throw new OperatorError(`${this.texts.join('\n')}\nUsage: ${usage}`, 2)
  }
}

/** Parses a public key to lower case; adds a problem with `name` if it is invalid. */
export function parseKey(text: string, name: string, problems: Problems): string | undefined {
  if (/^[0-9a-f]{32}$/i.test(text)) return text.toLowerCase()
  return problems.add(`${name} is ${JSON.stringify(text)}: it must be 32 hexadecimal digits.`)
}

/** Parses an integer of at least 1; adds a problem with `name` if it is invalid. */
export function parseCountOption(text: string, name: string, problems: Problems): number | undefined {
  const count = Number(text)
  if (/^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(count)) return count
  return problems.add(
    `${name} is ${JSON.stringify(text)}: it must be a whole number of at least 1. Example: ${name} 42`,
  )
}

/** The text of the only argument, which names a project. Otherwise adds a problem, returns an empty text. */
export function parseOneProject(positionals: readonly string[], problems: Problems): string {
  const [text = '', ...more] = positionals
  if (text === '' || more.length > 0) problems.add('One project is needed: its id or its slug.')
  return text
}

/** Finds a project by id or slug. Throws an `OperatorError` if there is none. */
export async function requireProject({ db }: Store, text: string): Promise<ProjectName> {
  const projects = await listProjectNames(db)
  const project = projects.find(({ id }) => String(id) === text) ?? projects.find(({ slug }) => slug === text)
  if (project !== undefined) return project
  throw new OperatorError(
    `Unknown project ${JSON.stringify(text)}. Name it by its id or slug; "culvert project list --json" shows both.`,
  )
}
