import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { FilterForm } from '#components/ui/form/filter-form.tsx'
import { Link } from '#components/ui/link.tsx'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'
import type { IssueEventsSearch } from '#server/console/issues/issue-events.search.ts'
import type { TagDistribution } from '#server/store/issues/records.ts'
import { formatField, parseField } from '#time/time-field.ts'
import type { TimeZone } from '#time/time-zone.ts'
import { hasEventFilter } from './issue-events-search.ts'

interface EventFiltersProps {
  issueId: string
  tags: readonly TagDistribution[]
  search: IssueEventsSearch
}

/** Filters of the event list: a GET form, so an empty field in the URL is not a filter. */
export function EventFilters({ issueId, tags, search }: EventFiltersProps) {
  const navigate = useNavigate()
  const keysId = useId()
  const zone = useTimeZone()
  const [since, until] = [inZone(search.since, search, zone), inZone(search.until, search, zone)]

  function apply(valueOf: (name: string) => string) {
    void navigate({ to: '/issues/$issueId/events', params: { issueId }, search: readFilters(valueOf, zone) })
  }

  return (
    <FilterForm
      className="event-filters"
      action={`/issues/${issueId}/events`}
      values={{ ...Object.fromEntries(filterNames.map((name) => [name, search[name]])), since, until }}
      label="Filters"
      onApply={apply}
    >
      <ValueSelect name="environment" label="Environment" tags={tags} chosen={search.environment} />
      <ValueSelect name="release" label="Release" tags={tags} chosen={search.release} />
      <label>
        <span>Tag</span>
        <input name="key" list={keysId} size={12} defaultValue={search.key} autoComplete="off" />
      </label>
      <datalist id={keysId}>
        {tags.map(({ key }) => (
          <option key={key}>{key}</option>
        ))}
      </datalist>
      <label>
        <span>is</span>
        <input name="value" size={16} defaultValue={search.value} autoComplete="off" />
      </label>
      <label>
        <span>From ({zone})</span>
        <input type="datetime-local" name="since" defaultValue={since} />
      </label>
      <label>
        <span>Until ({zone})</span>
        <input type="datetime-local" name="until" defaultValue={until} />
      </label>
      <input type="hidden" name="zone" value={zone} />
      {hasEventFilter(search) ? (
        <Link to="/issues/$issueId/events" params={{ issueId }} search={{}} activeOptions={{ exact: true }}>
          Clear filters
        </Link>
      ) : null}
    </FilterForm>
  )
}

const filterNames = ['environment', 'release', 'key', 'value', 'since', 'until'] as const

function readFilters(valueOf: (name: string) => string, zone: TimeZone): IssueEventsSearch {
  const search: IssueEventsSearch = {}
  for (const name of filterNames) {
    const value = valueOf(name)
    if (value !== '') search[name] = value
  }
  // The URL is in UTC, so that it has the same meaning for a user in another time zone.
  for (const name of ['since', 'until'] as const) {
    const at = parseField(search[name] ?? '', zone)
    if (at !== undefined) search[name] = formatField(at, 'UTC')
  }
  return search
}

/** Converts a time of the URL to the user's time zone. */
function inZone(text: string | undefined, search: IssueEventsSearch, zone: TimeZone): string | undefined {
  const at = parseField(text ?? '', search.zone ?? 'UTC')
  return at === undefined ? undefined : formatField(at, zone)
}

interface ValueSelectProps {
  name: 'environment' | 'release'
  label: string
  tags: readonly TagDistribution[]
  chosen: string | undefined
}

/** The most frequent values of a tag, and the selected one. */
function ValueSelect({ name, label, tags, chosen }: ValueSelectProps) {
  const values = tags.find(({ key }) => key === name)?.values.map(({ value }) => value) ?? []
  if (chosen !== undefined && !values.includes(chosen)) values.push(chosen)
  if (values.length === 0) return null
  return (
    <label>
      <span>{label}</span>
      <select name={name} defaultValue={chosen ?? ''}>
        <option value="">All</option>
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  )
}
