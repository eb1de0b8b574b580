import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Badge } from '#components/ui/badge.tsx'
import { CheckField } from '#components/ui/form/check-field.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { TextAreaField } from '#components/ui/form/text-area-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { ProjectScrubbingView } from '#server/console/project-settings/views.ts'
import { ProjectSettingsLayout } from './project-settings.tsx'
import { scrubTexts } from './scrub-texts.ts'
import { ScrubbingTrialPanel } from './scrubbing-trial.tsx'
import { TryOut } from './try-out.tsx'

const addressChoices = [
  { value: 'keep', label: 'Keep IP addresses' },
  { value: 'remove', label: 'Remove them everywhere' },
]

/** The `/projects/$slug/scrubbing` screen: the settings of scrubbing. */
export function ScrubbingPage({ view }: { view: ProjectScrubbingView }) {
  const form = useForm('save', { also: ['try'], mark: view.marks.scrubbing })
  const isRuleOn = view.rules.some(({ name, isOn }) => name === 'fields' && isOn)
  const isIdle = view.fields.length > 0 && !(isRuleOn && view.isOn)
  return (
    <ProjectSettingsLayout view={view}>
      <Panel id="scrubbing" title="Data scrubbing" note="Applied before storage">
        <Form form={form} isDisabled={!view.canConfigure}>
          <CheckField
            name="isOn"
            label="Scrub events"
            hint="When off, events are stored as sent. The IP setting still applies."
            isOn={view.isOn}
          />
          <ul className="filter-list">
            {view.rules.map(({ name, mark, isOn, isOnByDefault }) => (
              <li key={name}>
                <CheckField
                  name="rules"
                  value={name}
                  label={<code>{name}</code>}
                  hint={`${scrubTexts.get(name) ?? ''}${isOnByDefault ? '' : ' Off by default.'}`}
                  isOn={isOn}
                >
                  <code>{mark}</code>
                </CheckField>
              </li>
            ))}
          </ul>
          <TextAreaField
            label="Secret field names"
            name="fields"
            placeholder={'member_no\ndate_of_birth'}
            defaultValue={view.fields.join('\n')}
            hint={
              <>
                {isIdle ? <IdleNames /> : null}
                One per line. Matches field names that contain the text; case and separators are ignored.
              </>
            }
          />
          <TextAreaField
            label="Safe fields"
            name="excludedFields"
            placeholder="token_count"
            defaultValue={view.excludedFields.join('\n')}
            hint="One per line. Full field names that are never scrubbed, with everything below them."
          />
          <SelectField
            label="IP addresses"
            name="ipAddresses"
            choices={addressChoices}
            defaultValue={view.ipAddresses}
            hint="If removed, anonymous users can’t be distinguished."
          />
          {view.canConfigure ? <TryOut /> : null}
        </Form>
      </Panel>
      <div role="status">
        {form.shown?.kind === 'scrubbing-trial' ? <ScrubbingTrialPanel trial={form.shown.trial} /> : null}
      </div>
    </ProjectSettingsLayout>
  )
}

/** Warns that the listed names are not active. */
function IdleNames() {
  return (
    <>
      <Badge tone="warning">Inactive</Badge> These names have no effect while the rule <code>fields</code> or
      scrubbing as a whole is off.{' '}
    </>
  )
}
