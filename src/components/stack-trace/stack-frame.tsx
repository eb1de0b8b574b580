import { Badge } from '#components/ui/badge.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Later } from '#components/ui/time/later.tsx'
import type { Frame } from '#protocol/event.ts'
import { hasFrameDetail, hasVariables } from './frame-folding.ts'
import { FrameLocation } from './frame-location.tsx'
import { FrameVariables } from './frame-variables.tsx'
import { SourceContext } from './source-context.tsx'

interface StackFrameProps {
  frame: Frame
  isInApp: boolean
  isOpen: boolean
  /** No line of its source is folded. */
  isFull?: boolean
  /** Where to look first. */
  isLikelyCause?: boolean
}

/** One call of a stack trace; it unfolds to its source and variables where it has any. */
export function StackFrame({
  frame,
  isInApp,
  isOpen,
  isFull = false,
  isLikelyCause = false,
}: StackFrameProps) {
  const line = (
    <>
      <FrameLocation frame={frame} />
      {isLikelyCause ? <Badge tone="accent">likely cause</Badge> : null}
      {isInApp ? null : <span className="frame-origin">library</span>}
    </>
  )
  if (!hasFrameDetail(frame)) {
    return (
      <div className="frame" data-in-app={isInApp} data-likely-cause={isLikelyCause || undefined}>
        <div className="frame-line">
          {line}
          <SourceLink frame={frame} />
        </div>
      </div>
    )
  }
  const detail = (
    <>
      <SourceContext frame={frame} isFull={isFull} />
      <SourceLink frame={frame} />
      {hasVariables(frame) && frame.vars !== undefined ? <FrameVariables variables={frame.vars} /> : null}
    </>
  )
  return (
    <details
      className="frame"
      data-in-app={isInApp}
      data-likely-cause={isLikelyCause || undefined}
      open={isOpen}
    >
      <summary className="frame-line">
        <Icon name="chevron-right" />
        {line}
      </summary>
      {isOpen ? detail : <Later>{detail}</Later>}
    </details>
  )
}

/** A link to the line in the project's code host. */
function SourceLink({ frame: { sourceUrl } }: { frame: Frame }) {
  if (sourceUrl === undefined) return null
  return (
    <a className="frame-source" href={sourceUrl} target="_blank" rel="noreferrer">
      <Icon name="external-link" size={12} />
      View source
    </a>
  )
}
