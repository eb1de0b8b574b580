import { DsnLine } from '#components/project/dsn-line.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Field } from '#components/ui/field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ProjectKeysView, ProjectKeyView } from '#server/console/project-views.ts'
import type { ProjectDone } from './done-texts.ts'
import { ProjectSettings } from './project-settings.tsx'
import { SettingForm, typedFields } from './setting-form.tsx'

/** The `/projects/$slug/keys` screen: what SDKs authenticate with. */
export function KeysPage({ view, done }: { view: ProjectKeysView; done?: ProjectDone }) {
  const typed = typedFields(view.form, ({ action }) => action === 'add')
  return (
    <ProjectSettings view={view} title="Keys" done={done}>
      <Panel
        id="keys"
        title="Keys"
        note={`${view.keys.filter(({ isActive }) => isActive).length} of ${view.keys.length} active`}
      >
        <ul className="key-list">
          {view.keys.map((key) => (
            <KeyEntry key={key.publicKey} entry={key} view={view} />
          ))}
        </ul>
      </Panel>
      {view.mayConfigure ? (
        <Panel id="add-key" title="Add a key" note="One for each sender keeps them apart">
          <SettingForm action="add" isDisabled={false} submitLabel="Add a key">
            <Field
              label="Name"
              name="label"
              id="new-key-label"
              required
              maxLength={100}
              placeholder="Backend"
              defaultValue={typed.text('label', '')}
              problem={typed.problem('label')}
            />
          </SettingForm>
        </Panel>
      ) : null}
    </ProjectSettings>
  )
}

function KeyEntry({ entry, view }: { entry: ProjectKeyView; view: ProjectKeysView }) {
  const { publicKey, label, dsn, isActive, createdAt, limitText } = entry
  return (
    <li className="key-entry" data-active={isActive}>
      <header>
        <h3>
          <bdi>{label}</bdi>
        </h3>
        {isActive ? <Badge tone="success">active</Badge> : <Badge>disabled</Badge>}
        <span className="quiet">
          made <Time at={createdAt} />
        </span>
      </header>
      <DsnLine dsn={dsn} />
      {view.mayConfigure ? (
        <KeyForms entry={entry} view={view} />
      ) : (
        <p className="quiet">{limitText === '' ? 'No limits of its own' : `Limits: ${limitText}`}</p>
      )}
      <p className="visually-hidden">Public key {publicKey}</p>
    </li>
  )
}

function KeyForms({ entry, view }: { entry: ProjectKeyView; view: ProjectKeysView }) {
  const { publicKey, label, isActive, limitText } = entry
  const hidden = { key: publicKey }
  const isMeant = ({ action, key }: Record<string, string>) => action === 'save' && key === publicKey
  const typed = typedFields(view.form, isMeant)
  const isOpen = view.form !== undefined && isMeant(view.form.values)
  return (
    <div className="key-forms">
      <details className="key-edit" open={isOpen}>
        <summary aria-label={`Name and limits of ${label}`}>Name and limits</summary>
        <SettingForm action="save" isDisabled={false} mark={typed.mark(entry.mark)} hidden={hidden}>
          <Field
            label="Name"
            name="label"
            id={`label-${publicKey}`}
            required
            maxLength={100}
            defaultValue={typed.text('label', label)}
            problem={typed.problem('label')}
          />
          <Field
            label="Limits of its own"
            name="limits"
            id={`limits-${publicKey}`}
            maxLength={1_000}
            placeholder="error=100/min attachment=50M/hour"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={typed.text('limits', limitText)}
            hint="In the place of the project’s limits for each key. Empty: those hold. Without a category it is for everything together: 1000/s."
            problem={typed.problem('limits')}
          />
        </SettingForm>
      </details>
      <SettingForm
        action="switch"
        isDisabled={false}
        hidden={{ ...hidden, active: String(!isActive) }}
        submitLabel={isActive ? 'Disable' : 'Enable'}
        {...(isActive && { tone: 'danger' as const })}
      />
      <SettingForm action="rotate" isDisabled={false} hidden={hidden} submitLabel="Rotate" tone="plain" />
    </div>
  )
}
