import { MarkedText } from '#components/ui/marked-text.tsx'
import type { Frame } from '#protocol/event.ts'
import { sourceLines } from './source-lines.ts'

/** The source around a frame, the line where it happened marked. Line numbers are list markers, so copying leaves them out. */
export function SourceContext({ frame }: { frame: Frame }) {
  const { firstNumber, lines } = sourceLines(frame)
  if (lines.length === 0) return null
  return (
    <ol className="source" start={firstNumber} data-numbered={firstNumber === undefined ? undefined : true}>
      {lines.map((line, index) => (
        <li key={index} aria-current={line.isCurrent ? 'location' : undefined}>
          <code>{line.text === '' ? ' ' : <MarkedText text={line.text} />}</code>
        </li>
      ))}
    </ol>
  )
}
