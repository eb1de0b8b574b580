import { ConfirmedForm } from '#components/form/confirmed-form.tsx'
import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Field } from '#components/ui/form/field.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { isUptime } from '#monitors/uptime.ts'
import type { MonitorView } from '#server/console/monitors/views.ts'
import { OwnerField } from './owner-field.tsx'
import { SettingFields } from './setting-fields.tsx'
import { UptimeFields } from './uptime-fields.tsx'

/** The settings of a monitor, and pausing, muting and deleting it. */
export function MonitorActions({ view: { monitor, settings, owner } }: { view: MonitorView }) {
  const isCheck = isUptime(settings)
  const save = useForm(isCheck ? 'saveUptime' : 'save', { mark: JSON.stringify([monitor.name, settings]) })
  const pause = useForm(monitor.isPaused ? 'resume' : 'pause')
  const mute = useForm(monitor.isMuted ? 'unmute' : 'mute')
  const remove = useForm('delete')
  return (
    <>
      <Panel id="settings" title="Settings">
        <Form form={save} label="Settings">
          <Field label="Name" name="name" required maxLength={100} defaultValue={monitor.name} />
          <OwnerField owner={owner?.text} />
          {isCheck ? <UptimeFields settings={settings} /> : <SettingFields settings={settings} />}
        </Form>
      </Panel>
      <Panel id="actions" title="Actions">
        <div className="monitor-actions">
          <Form form={pause} label="Pause" submitLabel={monitor.isPaused ? 'Resume' : 'Pause'} tone="plain">
            <p>
              {isCheck
                ? 'A paused monitor is not checked.'
                : 'A paused monitor expects no runs and stores no check-ins.'}
            </p>
          </Form>
          <Form form={mute} label="Mute" submitLabel={monitor.isMuted ? 'Unmute' : 'Mute'} tone="plain">
            <p>A muted monitor creates no issues; its {isCheck ? 'results' : 'check-ins'} are stored.</p>
          </Form>
          <ConfirmedForm
            form={remove}
            verb="Delete"
            subject="monitor"
            warning={`The monitor and its ${isCheck ? 'results' : 'check-ins'} can’t be restored. Its issues remain.`}
          />
        </div>
      </Panel>
    </>
  )
}
