import { Badge } from '#components/ui/badge.tsx'
import { CheckField } from '#components/ui/check-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { SelectField } from '#components/ui/select-field.tsx'
import { TextAreaField } from '#components/ui/text-area-field.tsx'
import type { ProjectScrubbingView } from '#server/console/project-views.ts'
import type { ProjectDone } from './done-texts.ts'
import { ProjectSettings } from './project-settings.tsx'
import { scrubTexts } from './scrub-texts.ts'
import { ScrubbingTrialPanel } from './scrubbing-trial.tsx'
import { SettingForm, typedFields } from './setting-form.tsx'
import { TryOut } from './try-out.tsx'

const addressChoices = [
  { value: 'keep', label: 'Keep IP addresses' },
  { value: 'remove', label: 'Remove them everywhere' },
]

/** The `/projects/$slug/scrubbing` screen: what is taken out of events before they are stored. */
export function ScrubbingPage({ view, done }: { view: ProjectScrubbingView; done?: ProjectDone }) {
  const typed = typedFields(view.form, ({ action }) => action === 'save' || action === 'try')
  const isRuleOn = view.rules.some(({ name, isOn }) => name === 'fields' && typed.isOn('rule-fields', isOn))
  const isIdle =
    typed.text('fields', view.fields.join('\n')).trim() !== '' && !(isRuleOn && typed.isOn('isOn', view.isOn))
  return (
    <ProjectSettings view={view} title="Scrubbing" done={done}>
      <Panel id="scrubbing" title="What is taken out" note="Before anything is stored">
        <SettingForm action="save" isDisabled={!view.mayConfigure} mark={typed.mark(view.marks.scrubbing)}>
          <CheckField
            name="isOn"
            label="Scrub events"
            hint="Off stores what is sent. IP addresses are removed all the same if that is chosen."
            isOn={typed.isOn('isOn', view.isOn)}
          />
          <ul className="filter-list">
            {view.rules.map(({ name, mark, isOn, isOnByDefault }) => (
              <li key={name}>
                <CheckField
                  name={`rule-${name}`}
                  label={<code>{name}</code>}
                  hint={`${scrubTexts.get(name) ?? ''}${isOnByDefault ? '' : ' Off by default.'}`}
                  isOn={typed.isOn(`rule-${name}`, isOn)}
                >
                  <code>{mark}</code>
                </CheckField>
              </li>
            ))}
          </ul>
          <TextAreaField
            label="Secret field names"
            name="fields"
            placeholder={'member_no\ngeburtstag'}
            defaultValue={typed.text('fields', view.fields.join('\n'))}
            problem={typed.problem('fields')}
            hint={
              <>
                {isIdle ? <IdleNames /> : null}
                One a line. Every name that contains one of them is secret; case and separators do not matter.
              </>
            }
          />
          <TextAreaField
            label="Field names that are left alone"
            name="excludedFields"
            placeholder="token_count"
            defaultValue={typed.text('excludedFields', view.excludedFields.join('\n'))}
            problem={typed.problem('excludedFields')}
            hint="One a line: whole names, with everything under them. They win over all rules."
          />
          <SelectField
            label="IP addresses"
            name="ipAddresses"
            choices={addressChoices}
            defaultValue={typed.text('ipAddresses', view.ipAddresses)}
            hint="Removed, users without a name or id cannot be told apart."
          />
          {view.mayConfigure ? <TryOut typed={typed} trial={view.trial} /> : null}
        </SettingForm>
      </Panel>
      {view.trial?.ok === true ? <ScrubbingTrialPanel trial={view.trial} /> : null}
    </ProjectSettings>
  )
}

/** Names that somebody wrote down do nothing by themselves. */
function IdleNames() {
  return (
    <>
      <Badge tone="warning">Not in force</Badge> These names do nothing while the rule <code>fields</code> or
      scrubbing as a whole is off.{' '}
    </>
  )
}
