import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import type { SubmitEvent } from 'react'

/**
 * Finds an event by what somebody was shown. It works without JavaScript; with it, the page changes without a reload.
 * `layout` is `page` where it is the main thing, and `bar` in the header: there it finds issues too, in the language of
 * their list, which leads on to whatever an id or an address names.
 */
export function LookupForm({ layout, query }: { layout: 'bar' | 'page'; query?: string }) {
  const navigate = useNavigate()

  function lookUp(event: SubmitEvent<HTMLFormElement>) {
    const entered = new FormData(event.currentTarget).get('q')
    const digest = typeof entered === 'string' ? entered.trim() : ''
    if (digest === '') return
    event.preventDefault()
    if (layout === 'bar') void navigate({ to: '/issues', search: { q: digest } })
    else void navigate({ to: '/digest/$digest', params: { digest } })
  }

  return (
    <search className="lookup" data-layout={layout}>
      <form action={layout === 'bar' ? '/issues' : '/digest'} method="get" onSubmit={lookUp}>
        <label htmlFor={`lookup-${layout}`}>
          <Search aria-hidden="true" size={14} />
          <span className={layout === 'bar' ? 'visually-hidden' : undefined}>
            {layout === 'bar' ? 'Search, or look up a digest or an id' : 'Digest, event id or trace id'}
          </span>
        </label>
        <input
          key={query}
          id={`lookup-${layout}`}
          name="q"
          data-shortcut="search"
          type="search"
          required
          maxLength={layout === 'bar' ? undefined : 200}
          defaultValue={query}
          placeholder={layout === 'bar' ? 'Search, digest or id' : '3f9a1c0477be'}
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
