/** The response of a server route to a request without a session. */
export function signInNeeded(): Response {
  return Response.json(
    { detail: 'Sign in first: open /login in this browser.' },
    { status: 401, headers: { 'cache-control': 'no-store' } },
  )
}
