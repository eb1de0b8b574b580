/** Runs work with pauses to its end, and returns its result. */
export function resultOf<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
