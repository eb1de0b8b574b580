import { useState } from 'react'
import { copyText } from './copy-text.ts'
import { Icon } from './icon.tsx'
import { useHydrated } from './use-hydrated.ts'

/** How long "Copied" stays. Milliseconds. */
const thanksMs = 2_000

interface CopyButtonProps {
  text: string
  label: string
  isPath?: boolean
}

/**
 * Copies `text`, which with `isPath` is a path on this server. `label` names the text (`Copy digest`). It has
 * its space but is hidden until it works.
 */
export function CopyButton({ text, label, isPath = false }: CopyButtonProps) {
  const isHydrated = useHydrated()
  const [answer, setAnswer] = useState('')

  async function copy() {
    setAnswer((await copyText(isPath ? location.origin + text : text)) ? 'Copied' : 'Couldn’t copy')
    setTimeout(() => setAnswer(''), thanksMs)
  }

  const isCopied = answer === 'Copied'
  return (
    <span className="copy" hidden={!isHydrated}>
      <button
        type="button"
        className="icon-button"
        title={label}
        aria-label={label}
        onClick={() => void copy()}
      >
        {isCopied ? <Icon name="check" /> : <Icon name="copy" />}
      </button>
      <span role="status" className="copy-answer">
        {answer}
      </span>
    </span>
  )
}
