/** Redirects a browser to a GET. */
export function redirectTo(path: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location: path, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** The path on this server that a form may redirect to; `/issues` for any other text. */
export function toLocalPath(text: string | undefined): string {
  // Two slashes, or a slash and a backslash, would mean another host.
  return text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : '/issues'
}
