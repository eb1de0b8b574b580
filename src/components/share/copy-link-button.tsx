import { Icon } from '#components/ui/icon.tsx'
import { useCopy } from './use-copy.ts'

/** Copies the address of a page of this installation. Hidden until it can work. */
export function CopyLinkButton({ path }: { path: string }) {
  const { copy, isCopied, isReady, answer } = useCopy(() =>
    Promise.resolve(new URL(path, window.location.href).href),
  )
  return (
    <span className="copy" hidden={!isReady}>
      <button type="button" className="icon-button" title="Copy link" aria-label="Copy link" onClick={copy}>
        {isCopied ? <Icon name="check" /> : <Icon name="link" />}
      </button>
      <span role="status" className="copy-answer">
        {answer}
      </span>
    </span>
  )
}
