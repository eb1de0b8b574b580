import { useState } from 'react'
import { copyText } from '#components/ui/copy-text.ts'
import { useHydrated } from '#components/ui/use-hydrated.ts'

/** How long the answer stays. Milliseconds. */
const thanksMs = 2_000

/** Copies the result of `read`, and returns whether it did; `isReady` is false until a script can. */
export function useCopy(read: () => Promise<string>) {
  const isReady = useHydrated()
  const [answer, setAnswer] = useState('')

  async function run() {
    setAnswer((await readAndCopy(read)) ? 'Copied' : 'Not copied')
    setTimeout(() => setAnswer(''), thanksMs)
  }

  return { copy: () => void run(), isCopied: answer === 'Copied', isReady, answer }
}

async function readAndCopy(read: () => Promise<string>): Promise<boolean> {
  try {
    return await copyText(await read())
  } catch {
    return false
  }
}
