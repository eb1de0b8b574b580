/**
 * Stores the draft of a comment in this tab, by name: it survives a sign-in and a reload. An empty text
 * removes it. Only in the browser.
 */
export function keepDraft(name: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {
    // The browser allows no storage for this site: the text is only in the field.
  }
}

/** The stored draft; empty if there is none. */
export function readDraft(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}
