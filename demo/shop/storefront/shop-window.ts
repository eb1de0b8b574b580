/** The page's elements that the storefront works on. */
export function findButton(action: string): HTMLButtonElement {
  const button = document.querySelector<HTMLButtonElement>(`button[data-action="${action}"]`)
  if (button === null) throw new Error(`No button for ${action}`)
  return button
}

/** Adds a click handler to a button; its errors are reported by the browser. */
export function onAction(action: string, handle: () => unknown): void {
  findButton(action).addEventListener('click', () => {
    void handle()
  })
}
