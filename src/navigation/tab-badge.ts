import { useEffect } from 'react'

const plainIcon = '/icon.svg'
const badgedIcon = '/icon-badge.svg'

/** Shows the number of new issues in the browser's tab: `(3) Issues · Culvert`, and a dot on the icon. */
export function useTabBadge(count: number): void {
  useEffect(() => {
    if (count === 0) return undefined
    const before = document.title
    const title = `(${count}) ${before}`
    document.title = title
    setIcon(badgedIcon)
    return () => {
      // The next page may already have set its title.
      if (document.title === title) document.title = before
      setIcon(plainIcon)
    }
  }, [count])
}

function setIcon(href: string): void {
  document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute('href', href)
}
