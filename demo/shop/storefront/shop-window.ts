/** The page's elements that the storefront works on. */
export function findButton(action: string): HTMLButtonElement {
  const button = document.querySelector<HTMLButtonElement>(`button[data-action="${action}"]`)
  if (button === null) throw new Error(`No button for ${action}`)
  return button
}

/** Lets a button do something when it is clicked; what goes wrong then is the browser's to report. */
export function onAction(action: string, handle: () => unknown): void {
  findButton(action).addEventListener('click', () => {
    void handle()
  })
}
