import { CopyButton } from '#components/ui/copy-button.tsx'

/** A project's DSN, to select or to copy. */
export function DsnLine({ dsn }: { dsn: string }) {
  return (
    <p className="dsn-line">
      <span>DSN</span>
      <code>{dsn}</code>
      <CopyButton text={dsn} label="Copy the DSN" />
    </p>
  )
}
