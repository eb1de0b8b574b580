import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { DsnLine } from '#components/project/dsn-line.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Field } from '#components/ui/form/field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { ProjectKeysView, ProjectKeyView } from '#server/console/project-settings/views.ts'
import { LimitRows } from './limit-rows.tsx'
import { ProjectSettingsLayout } from './project-settings.tsx'

/** The `/projects/$slug/keys` screen: the keys with which SDKs authenticate. */
export function KeysPage({ view }: { view: ProjectKeysView }) {
  const add = useForm('add')
  return (
    <ProjectSettingsLayout view={view}>
      <Panel
        id="keys"
        title="Keys"
        note={`${view.keys.filter(({ isActive }) => isActive).length} of ${view.keys.length} active`}
      >
        <ul className="key-list">
          {view.keys.map((key) => (
            <KeyEntry key={key.publicKey} entry={key} />
          ))}
        </ul>
      </Panel>
      <Panel id="add-key" title="Add key" note="Use one key per app or environment">
        <Form form={add} submitLabel="Add key">
          <Field
            label="Name"
            name="label"
            id="new-key-label"
            required
            maxLength={100}
            placeholder="Backend"
          />
        </Form>
      </Panel>
    </ProjectSettingsLayout>
  )
}

function KeyEntry({ entry }: { entry: ProjectKeyView }) {
  const { publicKey, label, dsn, isActive, createdAt } = entry
  return (
    <li className="key-entry" data-active={isActive}>
      <header>
        <h3>
          <bdi>{label}</bdi>
        </h3>
        {isActive ? <Badge tone="success">active</Badge> : <Badge>disabled</Badge>}
        <span className="quiet">
          created <Time at={createdAt} />
        </span>
      </header>
      <DsnLine dsn={dsn} />
      <KeyForms entry={entry} />
      <p className="visually-hidden">Public key {publicKey}</p>
    </li>
  )
}

function KeyForms({ entry }: { entry: ProjectKeyView }) {
  const { publicKey, label, isActive, limits } = entry
  const of = { key: publicKey }
  const save = useForm('save', { of, mark: entry.mark })
  const toggle = useForm('switch', { of: { ...of, active: String(!isActive) } })
  const rotate = useForm('rotate', { of })
  return (
    <div className="key-forms">
      <details className="key-edit" open={save.problems.length > 0 || undefined}>
        <summary className="button" aria-label={`Name and limits of ${label}`}>
          Name and limits
        </summary>
        <Form form={save}>
          <Field
            label="Name"
            name="label"
            id={`label-${publicKey}`}
            required
            maxLength={100}
            defaultValue={label}
          />
          <LimitRows
            name="limits"
            id={`limits-${publicKey}`}
            label="Key limits"
            hint="Overrides the project’s per-key limits. Leave empty to inherit."
            rows={limits}
          />
        </Form>
      </details>
      <Form
        form={toggle}
        submitLabel={isActive ? 'Disable' : 'Enable'}
        submitName={`${isActive ? 'Disable' : 'Enable'} ${label}`}
        tone={isActive ? 'danger' : 'primary'}
      />
      <Form form={rotate} submitLabel="Rotate" submitName={`Rotate ${label}`} tone="plain" />
    </div>
  )
}
