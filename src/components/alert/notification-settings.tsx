import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { SettingsHeader } from '#components/settings/settings-header.tsx'
import { CheckGroup } from '#components/ui/form/check-group.tsx'
import { SelectField } from '#components/ui/form/select-field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import type { NotificationSettingsView } from '#server/console/alerts/views.ts'
import { PushBrowsers } from './push-browsers.tsx'
import { transitionTexts } from './transition-text.ts'

const inbox = { value: 'inbox', label: 'Inbox' }
const none = { value: 'none', label: 'Not at all' }
const byMail = [
  { value: 'email', label: 'Inbox and e-mail at once' },
  { value: 'digest', label: 'Inbox and e-mail once an hour' },
]

/** The `/settings/notifications` screen: the user's notifications. */
export function NotificationSettings({ view }: { view: NotificationSettingsView }) {
  const { ways, projects, push, hasMail, email, mark, mayConfigure, now } = view
  const form = useForm('save', { mark })
  const choices = hasMail ? [inbox, ...byMail, none] : [inbox, none]
  return (
    <NowProvider now={now}>
      <SettingsHeader
        title="Notifications"
        description="The alerts that you get, and how. The rules of a project apply as well."
        mayConfigure={mayConfigure}
      />
      <Panel
        id="notifications"
        title="Kinds of notifications"
        note={hasMail ? `E-mail goes to ${email}` : 'E-mail is not set up on this server'}
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
          <CheckGroup
            id="projects"
            name="projects"
            label="Projects"
            choices={projects.map(({ id, name }) => ({ value: String(id), label: <bdi>{name}</bdi> }))}
            ticked={projects.filter(({ isMuted }) => !isMuted).map(({ id }) => String(id))}
          />
        </Form>
      </Panel>
      <PushBrowsers view={push} />
    </NowProvider>
  )
}
