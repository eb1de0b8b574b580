import * as v from 'valibot'
import { findContradiction } from './contradiction.ts'
import { ruleFields } from './rule.ts'

/** A rule as users write it. Messages name the invalid field and the remedy. */
export const alertRule = v.pipe(
  ruleFields,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    const found = findContradiction(input)
    if (found === undefined) return
    const { field: key, message } = found
    addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] })
  }),
)
