import { useState } from 'react'
import { useHydrated } from './use-hydrated.ts'

/** How long the answer stays. Milliseconds. */
const thanksMs = 2_000

/** Copies the result of `read`, and returns whether it did; `isReady` is false until a script can. */
export function useCopy(read: () => string | Promise<string>) {
  const isReady = useHydrated()
  const [answer, setAnswer] = useState('')

  async function run() {
    setAnswer((await readAndCopy(read)) ? 'Copied' : 'Couldn’t copy')
    setTimeout(() => setAnswer(''), thanksMs)
  }

  return { copy: () => void run(), isCopied: answer === 'Copied', isReady, answer }
}

async function readAndCopy(read: () => string | Promise<string>): Promise<boolean> {
  try {
    return await copyText(await read())
  } catch {
    return false
  }
}

/**
 * Writes text to the clipboard; false when the browser rejects.
 *
 * The clipboard API exists in secure contexts only, and an installation inside a company often has plain
 * HTTP: there the old command, which works on a selected field, still does.
 */
async function copyText(text: string): Promise<boolean> {
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
