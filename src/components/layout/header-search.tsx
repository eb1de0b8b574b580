import { useRef, useSyncExternalStore } from 'react'
import { Icon } from '#components/ui/icon.tsx'

/** The form has the focus or a text. */
const inUse = ':has(input:focus, input:not(:placeholder-shown))'

/**
 * The search of the header: opens the palette, which finds pages by name, id or digest. Without JavaScript,
 * and while it is used before the page is hydrated, it is a form that searches the issues, which resolves ids
 * and URLs, too.
 */
export function HeaderSearch() {
  const form = useRef<HTMLElement>(null)
  const isPalette = useSyncExternalStore(
    (notify) => {
      // The form is removed with its listener.
      form.current?.addEventListener('focusout', notify)
      return () => {}
    },
    () => form.current?.matches(inUse) !== true,
    () => false,
  )
  if (isPalette) return <PaletteButton />
  return (
    <search className="header-search" ref={form}>
      <form action="/issues" method="get">
        <Icon name="search" />
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
        <Icon name="search" />
        <span>Search or go to…</span>
        <kbd aria-hidden="true">{keys}</kbd>
      </button>
    </div>
  )
}
