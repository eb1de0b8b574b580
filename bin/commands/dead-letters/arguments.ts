import { parseDeadLetterReference } from '#server/console/outcomes/dead-letters.ts'
import { OperatorError } from '#server/errors.ts'
import type { DeadLetterReference } from '#server/store/ingest/records.ts'

/** Parses dead letters of the form `PROJECT:ID`. Throws an `OperatorError` if one is invalid. */
export function readLetters(texts: string[], usage: string): DeadLetterReference[] {
  if (texts.length === 0) throw new OperatorError(`Name the dead letters.\nUsage: ${usage}`, 2)
  return texts.map((text) => {
    const reference = parseDeadLetterReference(text)
    if (reference !== undefined) return reference
    throw new OperatorError(
      `There is no dead letter ${JSON.stringify(text)}. "culvert dead-letters list" shows their ids.`,
      2,
    )
  })
}
