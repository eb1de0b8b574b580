import { Panel } from '#components/ui/panel.tsx'
import type { TagDistribution } from '#server/store/issue-views.ts'
import { TagDistributionTable } from './tag-distribution-table.tsx'

/** What the issue's events have in common, tag by tag. */
export function TagDistributions({ issueId, tags }: { issueId: string; tags: readonly TagDistribution[] }) {
  return (
    <Panel id="distributions" title="Tags of all events">
      {tags.length === 0 ? (
        <p className="quiet">The events of this issue have no tags.</p>
      ) : (
        tags.map((tag) => <TagDistributionTable key={tag.key} issueId={issueId} tag={tag} />)
      )}
    </Panel>
  )
}
