import { CodeBlock } from '#components/ui/code-block.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { countedNoun, exactCount } from '#components/ui/number-text.ts'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { FilterSampleView, OutcomeTotal } from '#server/store/outcome-views.ts'
import { findReasonSentence } from './outcome-texts.ts'

/** What the filters dropped lately, a few samples of each reason; nothing when nothing was filtered. */
export function FilterSamples({
  samples,
  totals,
}: {
  samples: readonly FilterSampleView[]
  totals: readonly OutcomeTotal[]
}) {
  if (samples.length === 0) return null
  return (
    <Panel id="samples" title="What the filters dropped" note="the newest of each reason">
      {[...Map.groupBy(samples, ({ reason }) => reason)].map(([reason, ofReason]) => (
        <Disclosure
          key={reason}
          summary={
            <>
              <code>{reason}</code>{' '}
              <span className="quiet">{countedNoun(filteredCount(totals, reason), 'item')}</span>
            </>
          }
        >
          <p className="panel-text">{findReasonSentence('filtered', reason)}</p>
          <ul className="filter-samples">
            {ofReason.map((sample) => (
              <FilterSample key={sample.id} sample={sample} />
            ))}
          </ul>
        </Disclosure>
      ))}
    </Panel>
  )
}

function FilterSample({ sample }: { sample: FilterSampleView }) {
  const { title, receivedAt, project, category, environment, release } = sample
  return (
    <li>
      <p className="filter-sample-title">
        <bdi>{title}</bdi>
      </p>
      <ul className="filter-sample-facts">
        <li>
          <Time at={receivedAt} />
        </li>
        <li>{project.name}</li>
        <li>{category}</li>
        {environment === undefined ? null : (
          <li>
            <bdi>{environment}</bdi>
          </li>
        )}
        {release === undefined ? null : (
          <li>
            release <bdi>{release}</bdi>
          </li>
        )}
      </ul>
      <SamplePayload sample={sample} />
    </li>
  )
}

function SamplePayload({ sample }: { sample: FilterSampleView }) {
  const { payloadText, payloadBytes, isPayloadCut } = sample
  const size = `${exactCount(payloadBytes)} bytes`
  if (payloadText === undefined) return <p className="quiet">Payload of {size}: too large to be kept.</p>
  return (
    <Disclosure summary="Payload">
      <CodeBlock label={isPayloadCut ? `JSON, the beginning of ${size}` : 'JSON'} code={payloadText} />
    </Disclosure>
  )
}

function filteredCount(totals: readonly OutcomeTotal[], reason: string): number {
  return totals.reduce(
    (sum, total) => (total.outcome === 'filtered' && total.reason === reason ? sum + total.quantity : sum),
    0,
  )
}
