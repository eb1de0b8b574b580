import { MarkedText } from '#components/ui/marked-text.tsx'

/** A stack trace as plain text, to read and to select. */
export function RawText({ text }: { text: string }) {
  return (
    <pre className="raw-trace" dir="auto">
      <code>
        <MarkedText text={text} />
      </code>
    </pre>
  )
}
