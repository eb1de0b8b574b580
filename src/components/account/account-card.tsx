import type { ReactNode } from 'react'
import { BrandMark } from '#components/layout/brand-mark.tsx'
import '#styles/settings.css'

/** The frame of the pages before sign-in. */
export function AccountCard({
  title,
  text,
  children,
}: {
  title: string
  text?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="account-card" aria-labelledby="account-title">
      <header>
        <BrandMark />
        <h1 id="account-title">{title}</h1>
        {text === undefined ? null : <p className="quiet">{text}</p>}
      </header>
      {children}
    </section>
  )
}
