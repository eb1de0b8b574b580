import type { Frame } from '#protocol/event.ts'
import { calledFunction } from '#protocol/stack-trace-text.ts'
import { useEventPlatform } from './event-platform.ts'

/** Where a frame is, in one line: `src/cart.ts:42:17 in addItem`. */
export function FrameLocation({ frame }: { frame: Frame }) {
  const file = frame.filename ?? frame.absPath ?? frame.module
  // An image of native code is known by its name: its folder is the system's, or differs by device.
  const path = file ?? frame.package?.split(/[/\\]/).at(-1) ?? '<unknown file>'
  const nameAt = path.search(/[^/\\]*$/)
  const fullPath = file === undefined ? frame.package : frame.absPath
  const name = calledFunction(frame, useEventPlatform())
  return (
    <span className="frame-location" title={fullPath === path ? undefined : fullPath}>
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
