// oxlint-disable no-console -- the console is what this is about
/**
 * Takes over what the framework reports only on the browser's console: an error that it caught. The console
 * gets the digest that `capture` returns, and never the error, which anybody could read there. Call it once.
 */
export function watchConsoleErrors(capture: (thrown: Error) => string | undefined): void {
  const write = console.error
  console.error = (...values: unknown[]) => {
    const thrown = values.find((value) => value instanceof Error)
    if (thrown === undefined) write.apply(console, values)
    else write.call(console, toLine(capture(thrown)))
  }
}

function toLine(digest: string | undefined): string {
  return digest === undefined ? 'Application error.' : `Application error. Digest: ${digest}`
}
