import { Icon } from '#components/ui/icon.tsx'
import { Later } from '#components/ui/time/later.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { Frame, StackTrace } from '#protocol/event.ts'
import { findLikelyCause, foldFrames, listFrames, openFrameKeys, type FrameRow } from './frame-folding.ts'
import { StackFrame } from './stack-frame.tsx'

/** Rows that are never left for later. */
const shownFirst = 2

interface StackTracePanelProps {
  trace: StackTrace
  openCount: number
  isFull?: boolean
}

/**
 * A stack trace, newest call first; with `isFull` no frame is collapsed. At most `openCount` application
 * frames are expanded, and the newest of them is marked.
 */
export function StackTracePanel({ trace, openCount, isFull = false }: StackTracePanelProps) {
  if (trace.frames.length === 0) return <p className="quiet">Empty stack trace.</p>
  const rows = isFull ? listFrames(trace.frames) : foldFrames(trace.frames)
  const openKeys = openFrameKeys(rows, openCount)
  const likelyCause = findLikelyCause(rows)
  const render = (row: FrameRow) => (
    <li key={row.key}>
      {row.kind === 'frame' ? (
        <StackFrame
          frame={row.frame}
          isInApp={row.isInApp}
          isOpen={openKeys.has(row.key)}
          isFull={isFull}
          isLikelyCause={row === likelyCause}
        />
      ) : (
        <FoldedFrames frames={row.frames} />
      )}
    </li>
  )
  // The first open frame ends where a screen does.
  const firstCount = Math.max(shownFirst, rows.findIndex(({ key }) => openKeys.has(key)) + 1)
  return (
    <div className="stack-trace">
      <p className="visually-hidden">Most recent call first</p>
      <ol>
        {rows.slice(0, firstCount).map(render)}
        <Later>{rows.slice(firstCount).map(render)}</Later>
      </ol>
    </div>
  )
}

function FoldedFrames({ frames }: { frames: readonly Frame[] }) {
  return (
    <details className="frame-fold">
      <summary className="frame-line">
        <Icon name="chevron-right" />
        {countedNoun(frames.length, 'library frame')}
      </summary>
      <Later>
        {frames.map((frame, index) => (
          <StackFrame key={index} frame={frame} isInApp={false} isOpen={false} />
        ))}
      </Later>
    </details>
  )
}
