import { CopyButton } from '#components/ui/copy-button.tsx'

/** A project's DSN, with a copy button. */
export function DsnLine({ dsn }: { dsn: string }) {
  return (
    <p className="dsn-line">
      <span>DSN</span>
      <code>{dsn}</code>
      <CopyButton text={dsn} label="Copy the DSN" />
    </p>
  )
}
