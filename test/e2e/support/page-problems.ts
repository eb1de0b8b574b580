import type { ConsoleMessage, Page, Request } from '@playwright/test'

/** The problems of a page that a user would not see. */
export interface PageProblems {
  /** Accepts problems whose text matches, in this test. */
  expect(text: RegExp): void
  /** All unexpected problems so far. */
  unexpected(): string[]
}

/**
 * Starts to record the problems of a page: console errors and warnings, uncaught errors, and events sent to
 * `/monitoring`.
 */
export function watchPage(page: Page): PageProblems {
  const problems: string[] = []
  const expected: RegExp[] = []
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const text = message.text()
    // Chromium's own line about a failed request does not name it.
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
