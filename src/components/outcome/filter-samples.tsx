import { CodeBlock } from '#components/ui/code-block.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { rejectionCategory } from '#protocol/rejection.ts'
import type { FilterSampleView } from '#server/console/outcomes/views.ts'
import type { OutcomeTotal } from '#server/store/outcomes/records.ts'
import { findReasonSentence } from './outcome-texts.ts'

const kinds = {
  filtered: {
    id: 'samples',
    title: 'Recently filtered',
    noun: 'item',
    payload: 'Payload',
    category: undefined,
  },
  // Items can have the same reason, with their own categories.
  invalid: {
    id: 'rejected',
    title: 'Rejected requests',
    noun: 'request',
    payload: 'Headers',
    category: 'unknown' satisfies typeof rejectionCategory,
  },
} as const

interface FilterSamplesProps {
  outcome: keyof typeof kinds
  samples: readonly FilterSampleView[]
  totals: readonly OutcomeTotal[]
}

/** Samples of recently filtered events, or of rejected requests, by reason. Empty if there are none. */
export function FilterSamples({ outcome, samples, totals }: FilterSamplesProps) {
  if (samples.length === 0) return null
  const { id, title, noun, payload, category } = kinds[outcome]
  return (
    <Panel id={id} title={title} note="newest of each reason">
      {[...Map.groupBy(samples, ({ reason }) => reason)].map(([reason, ofReason]) => (
        <Disclosure
          key={reason}
          summary={
            <>
              <code>{reason}</code>{' '}
              <span className="quiet">
                {countedNoun(countOf(totals, { outcome, reason, category }), noun)}
              </span>
            </>
          }
        >
          <p className="panel-text">{findReasonSentence(outcome, reason)}</p>
          <ul className="filter-samples">
            {ofReason.map((sample) => (
              <FilterSample key={sample.id} sample={sample} payloadTitle={payload} />
            ))}
          </ul>
        </Disclosure>
      ))}
    </Panel>
  )
}

/** The expanded samples of one event or trace: the target of a digest or id that a filter dropped. */
export function NamedSamples({ id, samples }: { id: string; samples: readonly FilterSampleView[] }) {
  return (
    <Panel
      id="sample"
      title={countedNoun(samples.length, 'sample')}
      note={<code className="digest-code">{id}</code>}
    >
      {samples.length === 0 && (
        <p className="panel-text">
          This sample has been deleted. Only the newest samples of each filter and day are kept.
        </p>
      )}
      {samples.length > 0 && (
        <ul className="filter-samples">
          {samples.map((sample) => (
            <FilterSample key={sample.id} sample={sample} payloadTitle="Payload" isNamed />
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface FilterSampleProps {
  sample: FilterSampleView
  payloadTitle: string
  isNamed?: boolean
}

function FilterSample({ sample, payloadTitle, isNamed = false }: FilterSampleProps) {
  const { title, receivedAt, project, category, environment, release } = sample
  return (
    <li>
      <p className="filter-sample-title">
        <bdi>{title}</bdi>
      </p>
      {isNamed && (
        <p className="quiet">
          Dropped by <code>{sample.reason}</code>. {findReasonSentence('filtered', sample.reason)}
        </p>
      )}
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
      <SamplePayload sample={sample} title={payloadTitle} isOpen={isNamed} />
    </li>
  )
}

interface SamplePayloadProps {
  sample: FilterSampleView
  title: string
  isOpen: boolean
}

function SamplePayload({ sample, title, isOpen }: SamplePayloadProps) {
  const { payloadText, payloadBytes, isPayloadCut } = sample
  const size = `${exactCount(payloadBytes)} bytes`
  if (payloadText === undefined) return <p className="quiet">Payload of {size}: too large to store.</p>
  return (
    <Disclosure summary={title} isOpen={isOpen}>
      <CodeBlock label={isPayloadCut ? `JSON, the beginning of ${size}` : 'JSON'} code={payloadText} />
    </Disclosure>
  )
}

function countOf(
  totals: readonly OutcomeTotal[],
  { outcome, reason, category }: Pick<OutcomeTotal, 'outcome' | 'reason'> & { category: string | undefined },
): number {
  return totals
    .filter((total) => total.outcome === outcome && total.reason === reason)
    .filter((total) => category === undefined || total.category === category)
    .reduce((sum, { quantity }) => sum + quantity, 0)
}
