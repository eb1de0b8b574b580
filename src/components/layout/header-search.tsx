import { Search } from 'lucide-react'
import { useHydrated } from '#components/ui/use-hydrated.ts'

/**
 * The search of the header: opens the palette, which finds pages by name, id or digest. Without JavaScript it
 * is a form that searches the issues, which resolves ids and URLs, too.
 */
export function HeaderSearch() {
  if (useHydrated()) return <PaletteButton />
  return (
    <search className="header-search">
      <form action="/issues" method="get">
        <Search aria-hidden="true" size={14} />
        <input
          name="q"
          type="search"
          required
          aria-label="Search or paste an ID"
          placeholder="Search or go to…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </form>
    </search>
  )
}

function PaletteButton() {
  const keys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'
  return (
    <div className="header-search">
      <button type="button" data-opens="palette" data-shortcut="search" aria-haspopup="dialog">
        <Search aria-hidden="true" size={14} />
        <span>Search or go to…</span>
        <kbd aria-hidden="true">{keys}</kbd>
      </button>
    </div>
  )
}
