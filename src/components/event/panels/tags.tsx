import { TagLink } from '#components/issue/tag-link.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'

/** The tags of one event, as sent; each links to the issues with the same tag. */
export function TagsPanel({
  tags,
  projectSlug,
}: {
  tags: readonly (readonly [string, string])[]
  projectSlug: string
}) {
  return (
    <dl className="tags">
      {tags.map(([key, value]) => (
        <div key={key}>
          <dt>
            <bdi>{key}</bdi>
          </dt>
          <dd>
            {value === '' ? (
              '(empty)'
            ) : (
              <TagLink projectSlug={projectSlug} tagKey={key} value={value}>
                <bdi>
                  <MarkedText text={value} />
                </bdi>
              </TagLink>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
