import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import type { SubmitEvent } from 'react'

/**
 * Finds an event by what somebody was shown. It GETs `/digest?q=…`, so it works without JavaScript; with it, the page
 * changes without a reload. `layout` is `bar` in the header and `page` where it is the main thing.
 */
export function LookupForm({ layout, query }: { layout: 'bar' | 'page'; query?: string }) {
  const navigate = useNavigate()

  function lookUp(event: SubmitEvent<HTMLFormElement>) {
    const entered = new FormData(event.currentTarget).get('q')
    const digest = typeof entered === 'string' ? entered.trim() : ''
    if (digest === '') return
    event.preventDefault()
    void navigate({ to: '/digest/$digest', params: { digest } })
  }

  return (
    <search className="lookup" data-layout={layout}>
      <form action="/digest" method="get" onSubmit={lookUp}>
        <label htmlFor={`lookup-${layout}`}>
          <Search aria-hidden="true" size={14} />
          <span className={layout === 'bar' ? 'visually-hidden' : undefined}>
            Digest, event id or trace id
          </span>
        </label>
        <input
          key={query}
          id={`lookup-${layout}`}
          name="q"
          data-shortcut="search"
          type="search"
          required
          maxLength={200}
          defaultValue={query}
          placeholder={layout === 'bar' ? 'Digest or event id' : '3f9a1c0477be'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <button type="submit" className="button">
          Look up
        </button>
      </form>
    </search>
  )
}
