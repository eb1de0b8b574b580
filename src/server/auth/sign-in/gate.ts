import { limits } from '#server/limits.ts'

/**
 * Limits the number of concurrent sign-ins. Each needs memory and a core for the password, and then a page:
 * too many would all time out.
 */
export interface SignInGate {
  /** Admits a request. Call the result after the answer. Undefined while `limits.signInsAtOnce` run. */
  enter(): (() => void) | undefined
}

/** Creates an empty gate. */
export function createSignInGate(): SignInGate {
  let running = 0
  return {
    enter() {
      if (running >= limits.signInsAtOnce) return undefined
      running += 1
      return () => {
        running -= 1
      }
    },
  }
}
