import { useNavigate } from '@tanstack/react-router'
import type { SubmitEvent } from 'react'
import { Icon } from '#components/ui/icon.tsx'

/** Finds an event by a digest, an event id or a trace id. With JavaScript there is no page load. */
export function LookupForm({ query }: { query?: string }) {
  const navigate = useNavigate()

  function lookUp(event: SubmitEvent<HTMLFormElement>) {
    const entered = new FormData(event.currentTarget).get('q')
    const digest = typeof entered === 'string' ? entered.trim() : ''
    if (digest === '') return
    event.preventDefault()
    void navigate({ to: '/digest/$digest', params: { digest } })
  }

  return (
    <search className="lookup">
      <form action="/digest" method="get" onSubmit={lookUp}>
        <label htmlFor="lookup">
          <Icon name="search" />
          <span>Digest, event ID or trace ID</span>
        </label>
        <input
          key={query}
          id="lookup"
          name="q"
          data-shortcut="search"
          type="search"
          required
          maxLength={200}
          defaultValue={query}
          placeholder="3f9a1c0477be"
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
