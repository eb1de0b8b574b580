/** The answer of a server route to who is not signed in. */
export function signInNeeded(): Response {
  return Response.json(
    { detail: 'Sign in first: open /login in this browser.' },
    { status: 401, headers: { 'cache-control': 'no-store' } },
  )
}
