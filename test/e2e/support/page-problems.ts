import type { ConsoleMessage, Page, Request } from '@playwright/test'

/** What went wrong on a page that a user would not see. */
export interface PageProblems {
  /** Takes problems whose text matches for granted in this test. */
  expect(text: RegExp): void
  /** All problems so far that nobody expected. */
  unexpected(): string[]
}

/**
 * Starts to note the problems of a page: console errors and warnings, uncaught errors, and events sent to
 * `/monitoring`.
 */
export function watchPage(page: Page): PageProblems {
  const problems: string[] = []
  const expected: RegExp[] = []
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const text = message.text()
    // Chromium's own line about a request that failed does not say which one.
    problems.push(`console: ${text}${text.startsWith('Failed to load') ? ` ${message.location().url}` : ''}`)
  })
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    const event = findOwnEvent(request)
    if (event !== undefined) problems.push(`reported: ${event}`)
  })
  return {
    expect: (text) => void expected.push(text),
    unexpected: () => problems.filter((problem) => !expected.some((text) => text.test(problem))),
  }
}

/** The event in an envelope that Culvert's own page sends through the tunnel. */
function findOwnEvent(request: Request): string | undefined {
  if (new URL(request.url()).pathname !== '/monitoring') return undefined
  const lines = request.postData()?.split('\n') ?? []
  const header = lines.findIndex((line) => line.includes('"type":"event"'))
  return header === -1 ? undefined : lines[header + 1]?.slice(0, 1000)
}
