import { ConfirmedForm } from '#components/form/confirmed-form.tsx'
import { Form } from '#components/form/form.tsx'
import { UnreadableEntry } from '#components/form/unreadable-entry.tsx'
import { useForm } from '#components/form/use-form.ts'
import { ProjectSettingsLayout } from '#components/project/settings/project-settings.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { AlertMuteView, AlertRuleView, ProjectAlertsView } from '#server/console/alerts/views.ts'
import { DryRunResult } from './dry-run-result.tsx'
import { DryRunButton, RuleFields } from './rule-fields.tsx'

const newRule = {
  name: '',
  transitions: ['new' as const],
  projectTransitions: [],
  filters: '',
  threshold: '',
  crashFree: '',
  receivers: ['members'],
  people: '',
  throttleMs: 0,
  quiet: { from: '', to: '', timeZone: '', lettingFatal: true },
  isForAll: false,
}

/**
 * The `/projects/$slug/alerts` screen: the alert rules of a project. `openMute`: the rule, or `project`,
 * whose mute form is open, from the link of a message.
 */
export function RulesPage({ view, openMute }: { view: ProjectAlertsView; openMute?: string | undefined }) {
  const { rules, unreadable, canConfigure } = view
  return (
    <ProjectSettingsLayout view={view}>
      <Panel
        id="rules"
        title="Rules"
        note={
          <Link to="/alerts" search={{}}>
            All decisions
          </Link>
        }
      >
        {unreadable.map((rule) => (
          <UnreadableRule key={rule.id} rule={rule} canConfigure={canConfigure} />
        ))}
        {rules.length === 0 ? (
          <p className="panel-text">
            No rule sends alerts about new issues of this project. Users are still notified of assignments.
            Add a rule for new issues.
          </p>
        ) : (
          <ul className="key-list">
            {rules.map((rule) => (
              <RuleEntry key={rule.id} rule={rule} view={view} offersMute={rule.id === openMute} />
            ))}
          </ul>
        )}
      </Panel>
      {canConfigure ? <ProjectMute view={view} offersMute={openMute === 'project'} /> : null}
      {canConfigure ? <AddRule view={view} /> : null}
    </ProjectSettingsLayout>
  )
}

function UnreadableRule({
  rule: { id, name },
  canConfigure,
}: {
  rule: ProjectAlertsView['unreadable'][number]
  canConfigure: boolean
}) {
  const remove = useForm('delete', { of: { rule: id } })
  return (
    <UnreadableEntry
      remove={remove}
      subject={name === '' ? 'rule' : name}
      warning="A deleted rule can’t be restored, not even by the newer version."
      isDeletable={canConfigure}
    >
      This version of Culvert cannot read{' '}
      {name === '' ? (
        'a rule'
      ) : (
        <>
          the rule “<bdi>{name}</bdi>”
        </>
      )}
      : a newer version has saved it. It sends no alerts. Install that version again, or a newer one.
    </UnreadableEntry>
  )
}

interface RuleProps {
  rule: AlertRuleView
  view: ProjectAlertsView
  offersMute: boolean
}

function RuleEntry({ rule, view, offersMute }: RuleProps) {
  const { name, sentence, isEnabled, isForAll, isFull, mute } = rule
  return (
    <li id={`rule-${rule.id}`} className="key-entry" data-active={isEnabled && mute === undefined}>
      <header>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        {isEnabled ? null : <Badge>disabled</Badge>}
        {isForAll ? <Badge tone="accent">all projects</Badge> : null}
        {mute === undefined ? null : <MuteBadge mute={mute} />}
      </header>
      <p>
        <bdi>{sentence}</bdi>{' '}
        <Link to="/alerts" search={{ rule: rule.id }} aria-label={`Decisions of ${name}`}>
          Decisions
        </Link>
      </p>
      {isFull ? (
        <p>
          <Badge tone="warning">not all users counted</Badge> More users are affected than Culvert counts for
          thresholds, so further issues may not cross this one. Add an event threshold.
        </p>
      ) : null}
      {view.canConfigure ? <RuleForms rule={rule} view={view} offersMute={offersMute} /> : null}
    </li>
  )
}

function MuteBadge({ mute: { name, until } }: { mute: AlertMuteView }) {
  return (
    <Badge tone="warning">
      muted until <Time at={until} isExact />: <bdi>{name}</bdi>
    </Badge>
  )
}

function RuleForms({ rule, view, offersMute }: RuleProps) {
  const { id, name, isEnabled, mute, mark } = rule
  const of = { rule: id }
  const save = useForm('save', { of, mark, also: ['try'] })
  const toggle = useForm('switch', { of: { ...of, isOn: String(!isEnabled) } })
  const remove = useForm('delete', { of })
  const isOpen = save.problems.length > 0 || save.shown !== undefined
  const group = `rule-${id}-forms`
  return (
    <div className="key-forms">
      <details className="key-edit" name={group} open={isOpen || undefined}>
        <summary className="button" aria-label={`Edit ${name}`}>
          Edit
        </summary>
        <Form form={save} moreButtons={<DryRunButton />}>
          <RuleFields id={id} rule={rule} destinations={view.destinations} />
        </Form>
        <DryRunResult shown={save.shown} ruleId={id} />
      </details>
      {mute === undefined ? (
        <Mute id={id} of={of} name={name} isOffered={offersMute} group={group} />
      ) : (
        <Unmute of={of} name={name} />
      )}
      <Form
        form={toggle}
        submitLabel={isEnabled ? 'Disable' : 'Enable'}
        submitName={`${isEnabled ? 'Disable' : 'Enable'} ${name}`}
        tone="plain"
      />
      <ConfirmedForm
        form={remove}
        verb="Delete"
        subject={name}
        group={group}
        warning="A deleted rule can’t be restored. A disabled one keeps its settings."
      />
    </div>
  )
}

const hours = [1, 4, 8, 24, 72, 168].map((count) => ({
  value: String(count),
  label: count < 24 ? countedNoun(count, 'hour') : countedNoun(count / 24, 'day'),
}))

interface MuteProps {
  id: string
  of: Record<string, string>
  name: string
  isOffered: boolean
  group?: string
}

function Mute({ id, of, name, isOffered, group }: MuteProps) {
  const mute = useForm('mute', { of })
  return (
    <details className="key-edit" name={group} open={mute.problems.length > 0 || isOffered || undefined}>
      <summary className="button" aria-label={`Mute ${name}`}>
        Mute
      </summary>
      <Form form={mute} submitLabel="Mute" submitName={`Mute ${name} now`}>
        <SelectField label="For" name="hours" id={`mute-hours-${id}`} choices={hours} defaultValue="1" />
        <Field
          label="Reason"
          name="why"
          id={`mute-why-${id}`}
          required
          maxLength={100}
          placeholder="Deploy"
        />
      </Form>
    </details>
  )
}

function Unmute({ of, name }: { of: Record<string, string>; name: string }) {
  const unmute = useForm('unmute', { of })
  return <Form form={unmute} submitLabel="End mute" submitName={`End mute of ${name}`} tone="plain" />
}

function ProjectMute({ view: { mute, project }, offersMute }: Omit<RuleProps, 'rule'>) {
  return (
    <Panel id="mute" title="Mute the project">
      {mute === undefined ? (
        <p className="panel-text">No alerts about its issues are sent until the mute ends.</p>
      ) : (
        <p className="panel-text">
          <MuteBadge mute={mute} />
        </p>
      )}
      {mute === undefined ? (
        <Mute id="project" of={{ rule: '' }} name={project.name} isOffered={offersMute} />
      ) : (
        <Unmute of={{ rule: '' }} name={project.name} />
      )}
    </Panel>
  )
}

function AddRule({ view: { destinations } }: { view: ProjectAlertsView }) {
  const add = useForm('add', { of: { rule: '' }, also: ['try'] })
  return (
    <Panel id="add-rule" title="Add rule">
      <Form form={add} submitLabel="Add rule" moreButtons={<DryRunButton />}>
        <RuleFields id="new" rule={newRule} destinations={destinations} />
      </Form>
      <DryRunResult shown={add.shown} ruleId="" />
    </Panel>
  )
}
