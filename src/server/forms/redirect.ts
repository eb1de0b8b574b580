/** Sends a browser on with a GET. */
export function redirectTo(path: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location: path, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** The path on this server that a form may send a browser to; `/issues` for anything else. */
export function toLocalPath(text: string | undefined): string {
  // Two slashes, or a slash and a backslash, would be another host.
  return text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : '/issues'
}
