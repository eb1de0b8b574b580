import { notFound, redirect } from '@tanstack/react-router'
import { isSessionOver } from './auth/sign-in/sign-in.ts'

// Server code returns values. Only here, in the handlers of server functions, do they become what the router
// understands: a thrown redirect or not-found.

/** The answer; the router's not-found where it is undefined. */
export async function orNotFound<Answer>(answer: Promise<Answer | undefined>): Promise<Answer> {
  const found = await answer
  if (found === undefined) throw notFound()
  return found
}

/** The answer; redirects to the sign-in where the session ended in the meantime. */
export async function whileSignedIn<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (thrown) {
    if (isSessionOver(thrown)) sendTo('/login')
    throw thrown
  }
}

/** Redirects to an address. Without a route, it needs no router. */
export function sendTo(href: string): never {
  throw redirect({ href })
}
