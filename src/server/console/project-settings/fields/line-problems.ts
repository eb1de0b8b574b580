import type { FormRejection } from '#server/forms/form-views.ts'
import { reject } from '#server/forms/form.ts'

/** A line of a text that cannot be read. Lines and columns count from 1. */
interface LineProblem {
  line: number
  column?: number
  message: string
}

/** Maximum number of displayed problems of a field. */
const mostProblems = 20

/** Rejects texts with unreadable lines, by field; undefined if there are none. */
export function rejectLines(
  problemsOf: Readonly<Record<string, readonly LineProblem[]>>,
): FormRejection | undefined {
  const problems = Object.entries(problemsOf).flatMap(([field, found]) =>
    found.slice(0, mostProblems).map(({ line, column, message }) => {
      const place = column === undefined ? `Line ${line}` : `Line ${line}, column ${column}`
      return { field, message: `${place}: ${message}` }
    }),
  )
  return problems.length === 0 ? undefined : reject(problems)
}
