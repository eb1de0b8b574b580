import { Children, type ReactNode } from 'react'

/** Links to views of one list; give the current one `aria-current="page"`. `label` names the choice. */
export function LinkTabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className="link-tabs" aria-label={label}>
      <ul>
        {Children.map(children, (link) => (
          <li>{link}</li>
        ))}
      </ul>
    </nav>
  )
}
