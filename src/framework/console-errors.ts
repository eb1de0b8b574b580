// oxlint-disable no-console -- this module replaces console.error
/**
 * Captures the errors that the framework catches and only prints to the console. The console shows the digest
 * that `capture` returns instead of the error. Call it once.
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
