import { formOf, type ValuePattern } from './value-pattern.ts'
import { read, readValues, invalid, type Read } from './values.ts'

/** The valid values of a word. */
export interface Choices {
  known: readonly string[]
  /** Aliases, which error messages do not list. */
  hidden?: readonly string[]
}

/** Reads values without wildcards, each of which must be valid. */
export function readChoices(name: string, text: string, { known, hidden = [] }: Choices): Read<string[]> {
  const found = readValues(name, text)
  if (!found.ok) return found
  const choices: string[] = []
  for (const pattern of found.value) {
    const form = formOf(pattern)
    const choice = form.kind === 'exact' ? form.text.toLowerCase() : ''
    if (!known.includes(choice) && !hidden.includes(choice))
      return invalid(`${name} accepts ${listed(known)}, not "${shorten(textOf(pattern))}".`)
    choices.push(choice)
  }
  return read(choices)
}

/** The source text of a pattern. */
export function textOf({ pieces }: ValuePattern): string {
  return pieces.join('*')
}

function listed(values: readonly string[]): string {
  return `${values.slice(0, -1).join(', ')} and ${values.at(-1)}`
}

/** Truncates an entered text. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
