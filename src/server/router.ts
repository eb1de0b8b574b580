import { notFound, redirect } from '@tanstack/react-router'

// Server code returns values. Only the handlers of server functions convert them to errors for the router: a
// redirect or not-found.

/** Returns the answer; throws the router's not-found if it is undefined. */
export async function orNotFound<Answer>(answer: Promise<Answer | undefined>): Promise<Answer> {
  const found = await answer
  if (found === undefined) throw notFound()
  return found
}

/** Redirects to a URL without a route. */
export function sendTo(href: string): never {
  throw redirect({ href })
}
