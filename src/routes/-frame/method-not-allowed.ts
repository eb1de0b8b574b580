/**
 * The handler of every method that a server route lacks. Without it Start answers with the application's HTML
 * and 200, which clients treat as success.
 */
export function methodNotAllowed(allow: string): () => Response {
  return () => Response.json({ detail: 'Method not allowed' }, { status: 405, headers: { allow } })
}
