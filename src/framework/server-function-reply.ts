/** Start sets one of these headers on every reply of a server function. */
const replyHeaders = ['x-tss-serialized', 'x-tss-raw', 'x-tss-context']

/**
 * True for the reply of a server function. Start's client treats the JSON of a proxy's error page as the
 * function's result, which is then undefined.
 *
 * https://github.com/TanStack/router/issues/8280
 */
export function isServerFunctionReply({ headers }: Response): boolean {
  return replyHeaders.some((name) => headers.has(name))
}
