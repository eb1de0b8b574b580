/** A syntax error in a rule, with its position. */
export interface RuleProblem {
  /** From 1. */
  line: number
  /** From 1, in characters as JavaScript counts them. */
  column: number
  /** A sentence with the correct syntax. */
  message: string
}

/** Ends the reading of one line. */
export class RuleSyntaxError extends Error {
  /** From 0. */
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.index = index
  }
}
