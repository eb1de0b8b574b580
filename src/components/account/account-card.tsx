import type { ReactNode } from 'react'
import { BrandMark } from '#components/layout/brand-mark.tsx'
import '#styles/settings.css'

interface AccountCardProps {
  title: string
  text?: ReactNode
  children: ReactNode
}

/** The frame of the pages before sign-in. */
export function AccountCard({ title, text, children }: AccountCardProps) {
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
