import type { Frame } from '#protocol/event.ts'
import { calledFunction } from '#protocol/stack-trace-text.ts'
import { useEventPlatform } from './event-platform.ts'

/** Where a frame is, in one line: `src/cart.ts:42:17 in addItem`. */
export function FrameLocation({ frame }: { frame: Frame }) {
  const path = frame.filename ?? frame.absPath ?? frame.module ?? frame.package ?? '<unknown file>'
  const nameAt = path.search(/[^/\\]*$/)
  const fullPath = frame.absPath !== undefined && frame.absPath !== path ? frame.absPath : undefined
  const name = calledFunction(frame, useEventPlatform())
  return (
    <span className="frame-location" title={fullPath}>
      <bdi>
        <span className="frame-folder">{path.slice(0, nameAt)}</span>
        <span className="frame-file">{path.slice(nameAt)}</span>
        <span className="frame-position">{positionText(frame)}</span>
      </bdi>
      {name === undefined ? null : (
        <>
          {' '}
          <span className="frame-in">in</span> <bdi className="frame-function">{name}</bdi>
        </>
      )}
    </span>
  )
}

function positionText(frame: Frame): string {
  if (frame.lineNumber === undefined)
    return frame.instructionAddress === undefined ? '' : ` ${frame.instructionAddress}`
  return frame.columnNumber === undefined
    ? `:${frame.lineNumber}`
    : `:${frame.lineNumber}:${frame.columnNumber}`
}
