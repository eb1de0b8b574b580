import { MarkedText } from '#components/ui/marked-text.tsx'

/** The tags of one event, as sent. */
export function TagsPanel({ tags }: { tags: readonly (readonly [string, string])[] }) {
  return (
    <dl className="tags">
      {tags.map(([key, value]) => (
        <div key={key}>
          <dt>
            <bdi>{key}</bdi>
          </dt>
          <dd>
            <bdi>{value === '' ? '(empty)' : <MarkedText text={value} />}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
