import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { Later } from './time/later.tsx'

interface DisclosureProps {
  summary: ReactNode
  isOpen?: boolean
  group?: string
  children: ReactNode
}

/** Content that folds, without JavaScript. With the same `group`, opening one closes the others. */
export function Disclosure({ summary, isOpen = false, group, children }: DisclosureProps) {
  return (
    <details className="disclosure" open={isOpen} name={group}>
      <summary>
        <Icon name="chevron-right" />
        <span className="disclosure-summary">{summary}</span>
      </summary>
      <div className="disclosure-content">{isOpen ? children : <Later>{children}</Later>}</div>
    </details>
  )
}
