/**
 * Replaces a part of a field's text and dispatches `input`, like typing: Ctrl+Z and ⌘Z undo it.
 * `setRangeText` discards what the browser can undo. Only in the browser.
 */
export function insertText(
  field: HTMLInputElement | HTMLTextAreaElement,
  { text, start, end }: { text: string; start: number; end: number },
): void {
  field.focus()
  field.setSelectionRange(start, end)
  // The only way to keep the history of a field; deprecated without a replacement.
  // oxlint-disable-next-line typescript/no-deprecated
  if (document.execCommand('insertText', false, text)) return
  field.setRangeText(text, start, end, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
