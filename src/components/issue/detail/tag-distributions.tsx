import { Panel } from '#components/ui/panel.tsx'
import type { TagDistribution } from '#server/store/issues/records.ts'
import { TagDistributionTable } from './tag-distribution-table.tsx'
import { TagValueLink } from './tag-value-link.tsx'

/** Tags that all events of the issue share, then the distribution of each other tag. */
export function TagDistributions({ issueId, tags }: { issueId: string; tags: readonly TagDistribution[] }) {
  const common = tags.filter(hasOneValue)
  return (
    <Panel id="distributions" title="Issue tags">
      {tags.length === 0 ? <p className="quiet">The events of this issue have no tags.</p> : null}
      {tags
        .filter((tag) => !hasOneValue(tag))
        .map((tag) => (
          <TagDistributionTable key={tag.key} issueId={issueId} tag={tag} />
        ))}
      {common.length === 0 ? null : (
        <section className="common-tags" aria-labelledby="common-tags-title">
          <h3 id="common-tags-title">Identical in all events</h3>
          <dl className="tags">
            {common.map(({ key, values }) => (
              <div key={key}>
                <dt>
                  <bdi>{key}</bdi>
                </dt>
                <dd>
                  <TagValueLink issueId={issueId} tagKey={key} value={values[0]?.value ?? ''} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </Panel>
  )
}

/** A share of 100 % adds nothing to the value. */
function hasOneValue({ valueCount, values }: TagDistribution): boolean {
  return valueCount === 1 && values.length === 1
}
