import { limits } from '#server/limits.ts'

/** A field in which each line says something of its own. */
export interface ListField {
  name: string
  /** True for a line that makes sense. */
  isRight: (line: string) => boolean
  /** What is right: said after the line that is wrong. */
  whatIsRight: string
}

/** The lines of a field, each once, without those that say nothing; or what is wrong with one of them. */
export type ReadList = { ok: true; lines: string[] } | { ok: false; field: string; message: string }

/** Reads such a field as it was typed. */
export function parseList(text: string, { name, isRight, whatIsRight }: ListField): ReadList {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim())
  const refuse = (message: string): ReadList => ({ ok: false, field: name, message })
  for (const [index, line] of lines.entries()) {
    const at = `Line ${index + 1}`
    if (line.length > limits.settingsLineCharacters)
      return refuse(`${at} is longer than ${limits.settingsLineCharacters} characters.`)
    if (line !== '' && !isRight(line)) return refuse(`${at}, ${JSON.stringify(line)}: ${whatIsRight}`)
  }
  const unique = [...new Set(lines.filter((line) => line !== ''))]
  if (unique.length > limits.settingsLines) return refuse(`At most ${limits.settingsLines} lines.`)
  return { ok: true, lines: unique }
}
