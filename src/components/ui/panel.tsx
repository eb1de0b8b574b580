import type { ReactNode } from 'react'

interface PanelProps {
  id: string
  title: string
  note?: ReactNode
  children: ReactNode
}

/** A titled part of a page that can be linked to by `#id`. `note` is shown next to the title. */
export function Panel({ id, title, note, children }: PanelProps) {
  return (
    <section className="panel" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {note === undefined ? null : <div className="panel-note">{note}</div>}
      </header>
      {children}
    </section>
  )
}
