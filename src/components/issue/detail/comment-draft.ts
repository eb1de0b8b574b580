/**
 * Keeps the text of a comment that is not posted yet in this tab, by its name: it survives a sign-in and a
 * reload. An empty text removes it. Only in the browser.
 */
export function keepDraft(name: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {
    // The browser stores nothing for this site: the text is in the field only.
  }
}

/** The text that was kept; empty if there is none. */
export function readDraft(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}
