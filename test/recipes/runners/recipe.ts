import type { Browser } from '@playwright/test'
import type { TestContext } from 'vitest'
import type { TestServer } from '#test/start-server.ts'

/** The environment that the blocks of documents are run in. */
export interface DocumentWorld {
  /** Culvert with its console, in this process, with projects 1, 2, 42 ("fixture") and 43. */
  server: TestServer
  /** Of the owner. */
  cookie: string
  /** A token of the owner with every scope. */
  token: string
  browser: Browser
  context: TestContext
}

/** Runs a block exactly as in its document. Throws, or fails an expectation, if it does not work. */
export type Recipe = (code: string, world: DocumentWorld) => Promise<void> | void

/** The code with its placeholders replaced. Throws if the code does not contain one of them. */
export function fillIn(code: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [placeholder, value]) => {
    if (!filled.includes(placeholder)) throw new Error(`The code has no ${placeholder}:\n${code}`)
    return filled.replaceAll(placeholder, value)
  }, code)
}
