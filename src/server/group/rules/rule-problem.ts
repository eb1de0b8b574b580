/** A syntax error in a rule, with its position. */
export interface RuleProblem {
  /** From 1. */
  line: number
  /** From 1, in UTF-16 units. */
  column: number
  /** A sentence with the correct syntax. */
  message: string
}

/** Ends the parsing of a line. */
export class RuleSyntaxError extends Error {
  /** From 0. */
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.index = index
  }
}
