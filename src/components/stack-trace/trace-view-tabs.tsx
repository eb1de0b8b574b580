import { CopyButton } from '#components/ui/copy-button.tsx'
import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { ViewLink } from '#components/ui/view-link.tsx'

const views = [
  { frames: undefined, label: 'In-app' },
  { frames: 'all', label: 'All frames' },
  { frames: 'raw', label: 'Raw' },
] as const

interface Shown {
  frames?: 'all' | 'raw' | undefined
  order?: 'root-first' | undefined
}

interface TraceViewTabsProps {
  part: string
  shown: Shown
  text: string
  isChain?: boolean
}

/**
 * How the stack traces of a part of the page are shown, their order where there are several, and their text
 * to copy.
 */
export function TraceViewTabs({ part, shown, text, isChain = false }: TraceViewTabsProps) {
  const isRootFirst = shown.order === 'root-first'
  return (
    <div className="trace-views">
      {isChain && shown.frames !== 'raw' ? (
        <ViewLink
          search={{ ...shown, order: isRootFirst ? undefined : 'root-first' }}
          part={part}
          isCurrent={false}
        >
          {isRootFirst ? 'Thrown first' : 'Root cause first'}
        </ViewLink>
      ) : null}
      <LinkTabs label="Stack trace view">
        {views.map(({ frames, label }) => (
          <ViewLink key={label} search={{ ...shown, frames }} part={part} isCurrent={frames === shown.frames}>
            {label}
          </ViewLink>
        ))}
      </LinkTabs>
      <CopyButton text={text} label="Copy stack trace" />
    </div>
  )
}
