import { parseDeadLetterReference } from '#server/console/outcomes/dead-letters.ts'
import { OperatorError } from '#server/errors.ts'
import type { DeadLetterReference } from '#server/store/ingest/records.ts'

/**
 * Reads the letters a command is about, `PROJECT:ID` each. Raises an `OperatorError` for any that is none.
 */
export function readLetters(texts: string[], usage: string): DeadLetterReference[] {
  if (texts.length === 0) throw new OperatorError(`Name the dead letters.\nUsage: ${usage}`, 2)
  return texts.map((text) => {
    const reference = parseDeadLetterReference(text)
    if (reference !== undefined) return reference
    throw new OperatorError(
      `${JSON.stringify(text)} names no dead letter. "culvert dead-letters list" has their names.`,
      2,
    )
  })
}
