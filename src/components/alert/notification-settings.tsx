import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { SettingsHeader } from '#components/settings/settings-header.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { NotificationSettingsView } from '#server/console/alerts/views.ts'
import { PushBrowsers } from './push-browsers.tsx'
import { transitionTexts } from './transition-text.ts'

const inbox = { value: 'inbox', label: 'Inbox' }
const none = { value: 'none', label: 'Off' }
const byMail = [
  { value: 'email', label: 'Inbox and email' },
  { value: 'digest', label: 'Inbox and hourly email' },
]

/** The settings per project: how email arrives, not for which transitions. */
const asChosen = { value: '', label: 'As selected above' }
const projectMail = [
  { value: 'inbox', label: 'No email' },
  { value: 'email', label: 'Immediate email' },
  { value: 'digest', label: 'Hourly email' },
]

/** The `/settings/notifications` screen: the user's notifications. */
export function NotificationSettings({ view }: { view: NotificationSettingsView }) {
  const { ways, projects, exceptions, push, hasMail, email, mark, canConfigure, now } = view
  const form = useForm('save', { mark })
  const choices = hasMail ? [inbox, ...byMail, none] : [inbox, none]
  return (
    <NowProvider now={now}>
      <SettingsHeader
        title="Notifications"
        description="Select which notifications you get, and how. Project rules also apply."
        canConfigure={canConfigure}
      />
      <Panel
        id="notifications"
        title="Kinds of notifications"
        note={hasMail ? `Email is sent to ${email}` : 'Email is not set up on this server'}
      >
        <Form form={form}>
          <div className="field-rows">
            {ways.map(({ transition, way }) => (
              <SelectField
                key={transition}
                label={transitionTexts[transition]}
                name={transition}
                choices={choices}
                defaultValue={way}
              />
            ))}
          </div>
          <fieldset className="project-choice">
            <legend>Projects</legend>
            <div className="field-rows">
              {projects.map(({ id, name, way }) => (
                <SelectField
                  key={id}
                  label={name}
                  name={`project-${id}`}
                  choices={hasMail ? [asChosen, ...projectMail, none] : [asChosen, none]}
                  defaultValue={way}
                />
              ))}
            </div>
          </fieldset>
          <Exceptions exceptions={exceptions} projects={projects} choices={choices} />
        </Form>
      </Panel>
      <PushBrowsers view={push} />
    </NowProvider>
  )
}

/** Exceptions from the delivery of a kind, by project. */
function Exceptions({
  exceptions,
  projects,
  choices,
}: Pick<NotificationSettingsView, 'exceptions' | 'projects'> & {
  choices: readonly { value: string; label: string }[]
}) {
  const kinds = Object.entries(transitionTexts).map(([value, label]) => ({ value, label }))
  return (
    <fieldset className="project-choice">
      <legend>Exceptions</legend>
      <div className="field-rows">
        {exceptions.map(({ projectId, projectName, transition, way }) => (
          <SelectField
            key={`${projectId} ${transition}`}
            label={`${transitionTexts[transition]} in ${projectName}`}
            name={`exception-${projectId}-${transition}`}
            choices={[asChosen, ...choices]}
            defaultValue={way}
          />
        ))}
        <SelectField
          label="Exception for project"
          name="newProject"
          choices={[
            { value: '', label: 'No exception' },
            ...projects.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          defaultValue=""
        />
        <SelectField label="Notification" name="newKind" choices={kinds} defaultValue="new" />
        <SelectField label="Delivery" name="newWay" choices={choices} defaultValue="inbox" />
      </div>
    </fieldset>
  )
}
