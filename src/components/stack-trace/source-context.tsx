import { MarkedText } from '#components/ui/marked-text.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { Frame } from '#protocol/event.ts'
import { foldSourceLines, type SourceBlock } from './source-lines.ts'

/**
 * The source around a frame, the line where it happened marked. Lines further above are folded, so that the
 * marked one is near the top. Line numbers are list markers, so copying leaves them out.
 */
export function SourceContext({ frame, isFull }: { frame: Frame; isFull: boolean }) {
  const { folded, shown } = foldSourceLines(frame, isFull)
  if (shown.lines.length === 0) return null
  return (
    <div className="source">
      {folded.lines.length === 0 ? null : (
        <details>
          <summary>{countedNoun(folded.lines.length, 'more line')}</summary>
          <SourceLines block={folded} />
        </details>
      )}
      <SourceLines block={shown} />
    </div>
  )
}

function SourceLines({ block: { firstNumber, lines } }: { block: SourceBlock }) {
  return (
    <ol start={firstNumber} data-numbered={firstNumber === undefined ? undefined : true}>
      {lines.map((line, index) => (
        <li key={index} aria-current={line.isCurrent ? 'location' : undefined}>
          <code>{line.text === '' ? ' ' : <MarkedText text={line.text} />}</code>
        </li>
      ))}
    </ol>
  )
}
