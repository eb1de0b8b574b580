/**
 * Writes text to the clipboard; false when the browser rejects.
 *
 * The clipboard API exists in secure contexts only, and an installation inside a company often has plain
 * HTTP: there the old command, which works on a selected field, still does.
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      return copyBySelection(text)
    }
  }
  return copyBySelection(text)
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  const focused = document.activeElement
  document.body.append(field)
  field.select()
  // oxlint-disable-next-line typescript/no-deprecated -- the only way outside of secure contexts
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
