/** Start sets one of these headers on every reply of a server function. */
const replyHeaders = ['x-tss-serialized', 'x-tss-raw', 'x-tss-context']

/**
 * True for a reply that a server function sent. Start's client takes the JSON of a proxy's error page for the
 * function's result, which is undefined then.
 *
 * https://github.com/TanStack/router/issues/8280
 */
export function isServerFunctionReply({ headers }: Response): boolean {
  return replyHeaders.some((name) => headers.has(name))
}
