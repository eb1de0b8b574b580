/**
 * The handler of every method that a server route lacks. Without one Start answers with the application's
 * shell and 200, which a client takes for success.
 */
export function methodNotAllowed(allow: string): () => Response {
  return () => Response.json({ detail: 'Method not allowed' }, { status: 405, headers: { allow } })
}
