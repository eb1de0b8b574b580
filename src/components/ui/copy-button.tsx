import { Icon } from './icon.tsx'
import { useCopy } from './use-copy.ts'

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
  const { copy, isCopied, isReady, answer } = useCopy(() => (isPath ? location.origin + text : text))
  return (
    <span className="copy" hidden={!isReady}>
      <button type="button" className="icon-button" title={label} aria-label={label} onClick={copy}>
        <Icon name={isCopied ? 'check' : isPath ? 'link' : 'copy'} />
      </button>
      <span role="status" className="copy-answer">
        {answer}
      </span>
    </span>
  )
}
