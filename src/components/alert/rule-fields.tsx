import { crashFreeExamples } from '#alerts/crash-free-text.ts'
import { filterExamples } from '#alerts/filter-text.ts'
import { formatPeriod } from '#alerts/sentence.ts'
import { thresholdExamples } from '#alerts/threshold-text.ts'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { CheckGroup } from '#components/ui/form/check-group.tsx'
import { useField } from '#components/ui/form/field-state.ts'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { TextAreaField } from '#components/ui/form/text-area-field.tsx'
import type { AlertRuleFields } from '#server/console/alerts/views.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'

const transitions = [
  { value: 'new', label: 'It is new' },
  { value: 'regressed', label: 'It regresses' },
  { value: 'escalated', label: 'It escalates from the archive' },
  { value: 'unarchived', label: 'It is unarchived' },
  { value: 'assigned', label: 'It is assigned' },
  { value: 'comment', label: 'It gets a comment' },
  { value: 'mention', label: 'A comment mentions a user' },
  { value: 'normal', label: 'It is back to normal after the threshold' },
  { value: 'recovered', label: 'Its monitor recovers' },
]

const projectTransitions = [
  { value: 'release', label: 'A release is created' },
  { value: 'first_event', label: 'Its first event arrives' },
  { value: 'crash_free_normal', label: 'Its crash-free rate is back to normal' },
  { value: 'trouble', label: 'An ingest problem begins (rate limit, spike protection, upstream, disk)' },
  { value: 'trouble_over', label: 'An ingest problem is resolved' },
]

const throttles = [
  { value: '0', label: 'Each time' },
  ...[5 * minuteMs, 30 * minuteMs, hourMs, dayMs, 7 * dayMs].map(toThrottle),
]

/** In the words of the rule's sentence. */
function toThrottle(ms: number) {
  return { value: String(ms), label: `${formatPeriod(ms, 'once').replace('once', 'Once')} for each` }
}

const people = [
  { value: 'members', label: 'All members of the project' },
  { value: 'assignee', label: 'The assignee' },
  { value: 'owners', label: 'Code owners' },
  { value: 'participants', label: 'The assignee and users who commented' },
  { value: 'mentioned', label: 'Users mentioned in the comment' },
  { value: 'admins', label: 'Owners and admins' },
]

interface RuleFieldsProps {
  id: string
  rule: AlertRuleFields
  destinations: readonly { id: string; name: string }[]
}

/** The fields of a rule. `id` is unique on the page. */
export function RuleFields({ id, rule, destinations }: RuleFieldsProps) {
  const throttle = String(rule.throttleMs)
  const isListed = throttles.some(({ value }) => value === throttle)
  return (
    <>
      <Field
        label="Name"
        name="name"
        id={`name-${id}`}
        required
        maxLength={256}
        defaultValue={rule.name}
        placeholder="Production errors"
      />
      <CheckGroup
        id={`transitions-${id}`}
        name="transitions"
        label="When an issue changes"
        choices={transitions}
        ticked={rule.transitions}
      />
      <Field
        label="Or when it has"
        name="threshold"
        id={`threshold-${id}`}
        defaultValue={rule.threshold}
        placeholder={thresholdExamples[0]}
        hint={`A threshold: ${thresholdExamples.join('; ')}. The last one compares with the previous hour.`}
      />
      <CheckGroup
        id={`project-transitions-${id}`}
        name="projectTransitions"
        label="Or when the project changes"
        choices={projectTransitions}
        ticked={rule.projectTransitions}
      />
      <Field
        label="Or when its crash-free rate is below"
        name="crashFree"
        id={`crash-free-${id}`}
        defaultValue={rule.crashFree}
        placeholder={crashFreeExamples[0]}
        hint={`${crashFreeExamples.join('; ')}. At least 100 sessions or users, unless the rule has another minimum.`}
      />
      <TextAreaField
        label="And all of these are true"
        name="filters"
        id={`filters-${id}`}
        rows={3}
        spellCheck={false}
        defaultValue={rule.filters}
        hint={`One per line: ${filterExamples.join('; ')}.`}
      />
      <CheckGroup
        id={`receivers-${id}`}
        name="receivers"
        label="Notify"
        choices={[
          ...people,
          ...destinations.map((each) => ({
            value: `destination:${each.id}`,
            label: <bdi>{each.name}</bdi>,
          })),
        ]}
        ticked={rule.receivers}
      />
      <Field
        label="And these people"
        name="people"
        id={`people-${id}`}
        defaultValue={rule.people}
        placeholder="ada@example.com"
        hint="Email addresses of members, separated by commas."
      />
      <SelectField
        label="How often"
        name="throttleMs"
        id={`throttle-${id}`}
        choices={isListed ? throttles : [...throttles, toThrottle(rule.throttleMs)]}
        defaultValue={throttle}
      />
      <QuietFields id={id} quiet={rule.quiet} />
      <SelectField
        label="Projects"
        name="scope"
        id={`scope-${id}`}
        choices={[
          { value: 'project', label: 'This project' },
          { value: 'all', label: 'All projects of the organization' },
        ]}
        defaultValue={rule.isForAll ? 'all' : 'project'}
      />
    </>
  )
}

/** Submits the form of a rule without saving it. */
export function DryRunButton() {
  return (
    <button type="submit" name="action" value="try" className="button">
      Dry run
    </button>
  )
}

function QuietFields({ id, quiet }: { id: string; quiet: AlertRuleFields['quiet'] }) {
  const [from, to, zone] = [useField('quietFrom'), useField('quietTo'), useField('quietTimeZone')]
  // Also open after a post without JavaScript, so that its errors are visible.
  const isSet = [from.text(quiet.from), to.text(quiet.to), zone.text(quiet.timeZone)].some(
    (text) => text !== '',
  )
  return (
    <Disclosure summary="Quiet hours" isOpen={isSet}>
      <Field label="From" name="quietFrom" id={`from-${id}`} type="time" defaultValue={quiet.from} />
      <Field label="To" name="quietTo" id={`to-${id}`} type="time" defaultValue={quiet.to} />
      <Field
        label="Time zone"
        name="quietTimeZone"
        id={`zone-${id}`}
        defaultValue={quiet.timeZone}
        placeholder="Europe/Berlin"
      />
      <CheckGroup
        id={`fatal-${id}`}
        name="quietFatal"
        label="Exception"
        choices={[{ value: 'on', label: 'Send alerts about fatal issues anyway' }]}
        ticked={quiet.lettingFatal ? ['on'] : []}
      />
    </Disclosure>
  )
}
