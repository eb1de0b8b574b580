// oxlint-disable no-console -- the console is what this is about
/**
 * Takes over what the framework tells nobody but the console: an error that it caught and went on without. The console
 * gets the digest that `capture` answers with, and never the error: in the browser anybody reads it, and on the server
 * the log already has a line about it. Call it once.
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
