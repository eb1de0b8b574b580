import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { FieldError } from '#protocol/event.ts'

const reasons: Record<FieldError['reason'], string> = {
  wrong_type: 'had an invalid type',
  too_long: 'was too long and has been truncated',
  too_many: 'had too many entries; the rest was dropped',
  clock_drift: 'came from a clock that is off by an hour or more, and has been corrected',
  future_timestamp: 'is in the future; replaced by the time received',
  past_timestamp: 'is too far in the past; replaced by the time received',
}

/** The fields of the payload that were dropped or truncated, with the reasons. */
export function FieldErrorsNote({ errors }: { errors: readonly FieldError[] }) {
  if (errors.length === 0) return null
  return (
    <aside className="field-errors" aria-label="Fields with problems">
      <Disclosure summary={`${countedNoun(errors.length, 'field')} could not be read in full`}>
        <DefinitionList
          items={errors.map((error) => ({ term: error.field, description: reasons[error.reason] }))}
        />
      </Disclosure>
    </aside>
  )
}
