import * as v from 'valibot'
import { rawText } from '#server/forms/fields.ts'
import { limits } from '#server/limits.ts'

/**
 * A field with one entry per line, as the list of distinct entries. `isValid` checks an entry; `advice`
 * describes valid ones, after the invalid line.
 */
export function listField(isValid: (line: string) => boolean = () => true, advice = '') {
  return v.pipe(
    rawText,
    v.transform((entered) => entered.split(/\r\n?|\n/).map((line) => line.trim())),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? findProblem(dataset.value, { isValid, advice }) : undefined
      if (problem !== undefined) addIssue({ message: problem })
    }),
    v.transform((lines) => [...new Set(lines.filter((line) => line !== ''))]),
    v.maxLength(limits.settingsLines, `Enter at most ${limits.settingsLines} lines.`),
  )
}

function findProblem(
  lines: readonly string[],
  { isValid, advice }: { isValid: (line: string) => boolean; advice: string },
): string | undefined {
  for (const [index, line] of lines.entries()) {
    const at = `Line ${index + 1}`
    if (line.length > limits.settingsLineCharacters)
      return `${at} is longer than ${limits.settingsLineCharacters} characters.`
    if (line !== '' && !isValid(line)) return `${at}, ${JSON.stringify(line)}: ${advice}`
  }
  return undefined
}
