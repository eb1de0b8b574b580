/**
 * Parses JSON without validation, like the shop, which assumes the expected shape. Most of the shop's errors
 * start here.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- callers say what they hope for
export function readJson<T>(text: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-return -- the demo is about what comes of this
  return JSON.parse(text)
}
