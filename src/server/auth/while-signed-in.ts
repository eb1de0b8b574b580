import { redirect } from '@tanstack/react-router'
import { findStatus } from './sign-in/sign-in.ts'

/**
 * Waits for an answer that asks for the session once more; who has signed out meanwhile is sent to sign in.
 */
export async function whileSignedIn<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (thrown) {
    if (isSessionOver(thrown)) sendToSignIn()
    throw thrown
  }
}

/**
 * Whether the library found no session behind a cookie. Culvert remembers a viewer for a moment, and asks the
 * library again for some things: in between the session may have ended, in another tab or because a sign-out
 * was quicker.
 */
export function isSessionOver(thrown: unknown): boolean {
  return findStatus(thrown) === 401
}

/** Ends a server function by leading to the sign-in. */
export function sendToSignIn(): never {
  // A redirect is no error: Start takes it for where to go. With an address, and not a route, it needs no
  // router for it.
  // oxlint-disable-next-line typescript/only-throw-error
  throw redirect({ href: '/login' })
}
