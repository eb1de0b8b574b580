import { notFound, redirect } from '@tanstack/react-router'

// Server code returns values. Only here, in the handlers of server functions, do they become what the router
// understands: a thrown redirect or not-found.

/** The answer; the router's not-found where it is undefined. */
export async function orNotFound<Answer>(answer: Promise<Answer | undefined>): Promise<Answer> {
  const found = await answer
  if (found === undefined) throw notFound()
  return found
}

/** Redirects to an address. Without a route, it needs no router. */
export function sendTo(href: string): never {
  throw redirect({ href })
}
