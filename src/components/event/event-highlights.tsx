import type { ReactNode } from 'react'
import { TagLink } from '#components/issue/tag-link.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Link } from '#components/ui/link.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import { VersionText } from '#components/ui/version-text.tsx'
import type { Event } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'
import { userSearchTag } from './user-search-tag.ts'

/** Number of facts that fit in one line. */
const shownFacts = 6

interface Fact {
  term: string
  value: string | undefined
  /** The tag for a search of issues with the same value. */
  tagKey: string
}

/**
 * The most important facts: where it happened, in which release and runtime, for which user. Each links to a
 * search for its value.
 */
export function EventHighlights({ event, projectSlug }: { event: Event; projectSlug: string }) {
  const { contexts, request, user } = event
  const userTag = userSearchTag(user)
  const monitor = monitorOf(event)
  const facts: Fact[] = [
    { term: 'Environment', value: event.environment, tagKey: 'environment' },
    { term: 'Release', value: event.release, tagKey: 'release' },
    { term: 'User', value: userTag?.value, tagKey: userTag?.key ?? '' },
    monitor === undefined
      ? { term: 'Transaction', value: event.transaction, tagKey: 'transaction' }
      : { term: 'Monitor', value: monitor, tagKey: 'monitor' },
    { term: 'URL', value: request?.url, tagKey: 'url' },
    { term: 'Browser', value: nameAndVersion(contexts['browser']), tagKey: 'browser' },
    { term: 'System', value: nameAndVersion(contexts['os']), tagKey: 'os' },
    { term: 'Device', value: textOf(contexts['device'], 'model'), tagKey: 'device' },
    { term: 'Runtime', value: nameAndVersion(contexts['runtime']), tagKey: 'runtime' },
    { term: 'Server', value: event.serverName, tagKey: 'server_name' },
  ]
  const items = facts.flatMap(({ term, value, tagKey }) =>
    value === undefined || value === ''
      ? []
      : [{ term, description: <FactLink tagKey={tagKey} value={value} projectSlug={projectSlug} /> }],
  )
  return <DefinitionList layout="facts" items={items.slice(0, shownFacts)} />
}

function FactLink(props: { tagKey: string; value: string; projectSlug: string }): ReactNode {
  const { tagKey, value, projectSlug } = props
  if (tagKey === 'release') {
    return (
      <Link to="/releases/$version" params={{ version: value }} search={{ project: projectSlug }}>
        <VersionText version={value} />
      </Link>
    )
  }
  if (tagKey === 'monitor') {
    return (
      <Link to="/monitors/$project/$slug" params={{ project: projectSlug, slug: value }} search={{}}>
        <bdi>{value}</bdi>
      </Link>
    )
  }
  return (
    <TagLink {...props}>
      <bdi title={value}>
        <MarkedText text={value} />
      </bdi>
    </TagLink>
  )
}

/** The slug of the monitor whose failure the event is. */
function monitorOf({ type, contexts }: Event): string | undefined {
  const slug = type === 'monitor' || type === 'uptime' ? contexts[type]?.['slug'] : undefined
  return typeof slug === 'string' ? slug : undefined
}

function nameAndVersion(context: JsonObject | undefined): string | undefined {
  const name = textOf(context, 'name')
  const version = textOf(context, 'version')
  return name === undefined || version === undefined ? name : `${name} ${version}`
}

function textOf(context: JsonObject | undefined, key: string): string | undefined {
  const value = context?.[key]
  return typeof value === 'string' ? value : undefined
}
