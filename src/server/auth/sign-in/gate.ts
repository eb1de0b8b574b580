import { limits } from '#server/limits.ts'

/**
 * Bounds the number of concurrent sign-ins. Each takes memory and a core for the password, and then a page:
 * too many would all time out.
 */
export interface SignInGate {
  /** Admits a request; call the result when it is answered. Undefined while `limits.signInsAtOnce` run. */
  enter(): (() => void) | undefined
}

/** A gate with nothing in it. */
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
