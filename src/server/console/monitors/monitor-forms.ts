import * as v from 'valibot'
import { toMonitorSlug } from '#monitors/check-in.ts'
import { intervalUnits, monitorSettings } from '#monitors/schedule.ts'
import { isUptime } from '#monitors/uptime.ts'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import { definePageForms, type FormCall, type Prepared } from '#server/forms/define-page-forms.ts'
import { text } from '#server/forms/fields.ts'
import { formsFor, reject, type FormOutcome } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import {
  recordMonitorChange,
  recordMonitorDeletion,
  recordNewMonitor,
  type MonitorChange,
} from '#server/store/monitors/changes.ts'
import { findMonitor, type ListedMonitor } from '#server/store/monitors/views.ts'
import { listFilterChoices } from '#server/store/projects/projects.ts'
import { toUptimeSettings, uptimeFields } from './uptime-form.ts'

const name = v.pipe(text, v.nonEmpty('Enter a name.'), v.maxLength(100, 'Use 100 characters at most.'))
const count = v.pipe(
  text,
  v.regex(/^\d{1,9}$/, 'Enter a whole number.'),
  v.transform((digits) => Number(digits)),
)

/** The fields of the settings; the message of a setting appears at its field. */
const settingFields = {
  kind: v.picklist(['crontab', 'interval'], 'Choose a kind of schedule.'),
  crontab: text,
  timeZone: text,
  value: text,
  unit: v.fallback(v.picklist(intervalUnits), 'hour'),
  marginMinutes: count,
  maxRuntimeMinutes: count,
  failureThreshold: count,
  recoveryThreshold: count,
}
const settingsForm = v.object({ name, ...settingFields })
type SettingsForm = v.InferOutput<typeof settingsForm>

/** The settings that a form describes, or its problems. */
function toSettings(fields: SettingsForm) {
  const { kind, crontab, timeZone, value, unit } = fields
  const schedule =
    kind === 'crontab'
      ? { kind, crontab, timeZone }
      : { kind, value: value === '' ? Number.NaN : Number(value), unit }
  const parsed = v.safeParse(monitorSettings, { ...fields, schedule })
  if (parsed.success) return { ok: true, settings: parsed.output } as const
  const problems = parsed.issues.map(({ path, message }) => {
    const key = path?.at(-1)?.key
    return typeof key === 'string' ? { field: key, message } : { message }
  })
  return { ok: false, outcome: reject(problems) } as const
}

/** A form of a new monitor. */
interface NewMonitorCall {
  services: Services
  viewer: Viewer
}

const create = formsFor<NewMonitorCall>()(
  v.object({ ...settingsForm.entries, slug: text, project: text }),
  async ({ services: { store, clock }, viewer, fields }) => {
    const { projects } = await listFilterChoices(store.db, projectsWith(viewer, 'configure'))
    const project = projects.find(({ slug }) => slug === fields.project)
    if (project === undefined) return reject([{ field: 'project', message: 'Choose a project.' }])
    const slug = toMonitorSlug(fields.slug === '' ? fields.name : fields.slug)
    if (slug === undefined) return reject([{ field: 'slug', message: 'Use letters, digits, - and _.' }])
    const entered = toSettings(fields)
    if (!entered.ok) return entered.outcome
    const given = { projectId: project.id, slug, name: fields.name, settings: entered.settings }
    const created = await recordNewMonitor(store, given, clock())
    if (created === 'slug_in_use')
      return reject([{ field: 'slug', message: `The project has a monitor ${slug} already.` }])
    if (created === 'too_many') return reject('The project has as many monitors as it may have.')
    const leadsTo = `/monitors/${project.slug}/${slug}`
    return { kind: 'done', text: 'Monitor created. Next: send its first check-in.', leadsTo }
  },
)

const createUptime = formsFor<NewMonitorCall>()(
  v.object({ name, ...uptimeFields, environment: text, project: text }),
  async ({ services: { store, clock }, viewer, fields }) => {
    const { projects } = await listFilterChoices(store.db, projectsWith(viewer, 'configure'))
    const project = projects.find(({ slug }) => slug === fields.project)
    if (project === undefined) return reject([{ field: 'project', message: 'Choose a project.' }])
    const slug = toMonitorSlug(fields.name)
    if (slug === undefined) return reject([{ field: 'name', message: 'Use letters or digits.' }])
    const entered = toUptimeSettings(fields, fields.environment === '' ? 'production' : fields.environment)
    if (!entered.ok) return entered.outcome
    const given = { projectId: project.id, slug, name: fields.name, settings: entered.settings }
    const created = await recordNewMonitor(store, given, clock())
    if (created === 'slug_in_use')
      return reject([{ field: 'name', message: `The project has a monitor ${slug} already.` }])
    if (created === 'too_many') return reject('The project has as many monitors as it may have.')
    const leadsTo = `/monitors/${project.slug}/${slug}`
    return { kind: 'done', text: 'Uptime monitor created. It is checked at once.', leadsTo }
  },
)

const prepareNew = async ({ services, viewer }: FormCall): Promise<Prepared<NewMonitorCall>> =>
  viewer === undefined ? { outcome: { kind: 'signed-out' } } : { context: { services, viewer } }

/** The form of `/monitors/new`. */
export const newMonitorForms = definePageForms({ create }, { prepare: prepareNew })

/** The form of `/monitors/new-uptime`. */
export const newUptimeForms = definePageForms({ createUptime }, { prepare: prepareNew })

/** A form about a monitor, from a user who may configure its project. */
interface MonitorCall {
  services: Services
  monitor: ListedMonitor
}

const monitorForm = formsFor<MonitorCall>()

async function changeMonitor(
  { services: { store, clock }, monitor }: MonitorCall,
  change: MonitorChange,
  doneText: string,
): Promise<FormOutcome> {
  const reference = { projectId: monitor.projectId, monitorId: monitor.id }
  const isChanged = await recordMonitorChange(store, reference, { change, now: clock() })
  return isChanged ? { kind: 'done', text: doneText } : reject('This monitor no longer exists.')
}

const nothing = v.object({})

const forms = {
  save: monitorForm(settingsForm, async (call) => {
    if (isUptime(call.monitor.settings)) return reject('This monitor has other settings. Reload the page.')
    const entered = toSettings(call.fields)
    if (!entered.ok) return entered.outcome
    return changeMonitor(call, { name: call.fields.name, settings: entered.settings }, 'Monitor saved.')
  }),
  saveUptime: monitorForm(v.object({ name, ...uptimeFields }), async (call) => {
    const { settings: before } = call.monitor
    if (!isUptime(before)) return reject('This monitor has other settings. Reload the page.')
    const entered = toUptimeSettings(call.fields, before.environment)
    if (!entered.ok) return entered.outcome
    const { settings } = entered
    return changeMonitor(call, { name: call.fields.name, settings }, 'Monitor saved. It is checked at once.')
  }),
  pause: monitorForm(nothing, (call) => changeMonitor(call, { isPaused: true }, 'Monitor paused.')),
  resume: monitorForm(nothing, (call) => changeMonitor(call, { isPaused: false }, 'Monitor resumed.')),
  mute: monitorForm(nothing, (call) => changeMonitor(call, { isMuted: true }, 'Monitor muted.')),
  unmute: monitorForm(nothing, (call) => changeMonitor(call, { isMuted: false }, 'Monitor unmuted.')),
  delete: monitorForm(nothing, async ({ services: { store, clock }, monitor }) => {
    await recordMonitorDeletion(store, { projectId: monitor.projectId, monitorId: monitor.id }, clock())
    return { kind: 'done', text: 'Monitor deleted.', leadsTo: '/monitors' }
  }),
}

/** The forms of `/monitors/$project/$slug`. */
export const monitorForms = definePageForms(forms, {
  prepare: async ({ services, viewer, params }) => {
    if (viewer === undefined) return { outcome: { kind: 'signed-out' } }
    const monitor = await findMonitor(services.store.db, {
      projectIds: projectsWith(viewer, 'configure'),
      projectSlug: params['project'] ?? '',
      slug: params['slug'] ?? '',
    })
    if (monitor === undefined) return { outcome: reject('This monitor no longer exists.') }
    return { context: { services, monitor } }
  },
})
