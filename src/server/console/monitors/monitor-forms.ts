import * as v from 'valibot'
import { toMonitorSlug } from '#monitors/check-in.ts'
import { intervalUnits, monitorSettings } from '#monitors/schedule.ts'
import { isUptime, type StoredSettings } from '#monitors/uptime.ts'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { definePageForms, type FormCall, type Prepared } from '#server/forms/define-page-forms.ts'
import { nameText, text } from '#server/forms/fields.ts'
import { formsFor, reject, type FormOutcome } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import {
  recordMonitorChange,
  recordMonitorDeletion,
  recordNewMonitor,
  type MonitorChange,
} from '#server/store/monitors/changes.ts'
import {
  findMonitor,
  listMonitorReferences,
  type ListedMonitor,
} from '#server/store/monitors/listed-monitors.ts'
import { readEnteredOwner } from '#server/store/monitors/owners.ts'
import { listFilterChoices } from '#server/store/projects/projects.ts'
import type { Store } from '#server/store/store.ts'
import { toUptimeSettings, uptimeFields } from './uptime-form.ts'

const name = nameText('Enter a name.', 100)
const count = v.pipe(
  text,
  v.regex(/^\d{1,9}$/, 'Enter a whole number.'),
  v.transform((digits) => Number(digits)),
)

/** The fields of the settings; an error appears at its field. */
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
const settingsForm = v.object({ name, owner: text, ...settingFields })
type SettingsForm = v.InferOutput<typeof settingsForm>

/** The settings in a form, without the owner, or their errors. */
function toSettings(fields: SettingsForm): EnteredSettings {
  const { kind, crontab, timeZone, value, unit } = fields
  const schedule =
    kind === 'crontab'
      ? { kind, crontab, timeZone }
      : { kind, value: value === '' ? Number.NaN : Number(value), unit }
  const parsed = v.safeParse(monitorSettings, { ...fields, owner: undefined, schedule })
  if (parsed.success) return { ok: true, settings: parsed.output }
  const problems = parsed.issues.map(({ path, message }) => {
    const key = path?.at(-1)?.key
    return typeof key === 'string' ? { field: key, message } : { message }
  })
  return { ok: false, outcome: reject(problems) }
}

/** A form about no monitor that the page shows, from a signed-in user. */
interface ViewerCall {
  services: Services
  viewer: Viewer
}

const create = formsFor<ViewerCall>()(
  v.object({ ...settingsForm.entries, slug: text, project: text }),
  async (call) => {
    const { fields } = call
    return createIn(call, {
      slug: toMonitorSlug(fields.slug === '' ? fields.name : fields.slug),
      slugField: 'slug',
      entered: toSettings(fields),
      doneText: 'Monitor created. Next: send its first check-in.',
    })
  },
)

const createUptime = formsFor<ViewerCall>()(
  v.object({ name, owner: text, ...uptimeFields, environment: text, project: text }),
  async (call) => {
    const { fields } = call
    return createIn(call, {
      slug: toMonitorSlug(fields.name),
      slugField: 'name',
      entered: toUptimeSettings(fields, fields.environment === '' ? 'production' : fields.environment),
      doneText: 'Uptime monitor created. Its first check starts now.',
    })
  },
)

type EnteredSettings = { ok: true; settings: StoredSettings } | { ok: false; outcome: FormOutcome }

/** Creates a monitor of any kind in the project that the form names. */
async function createIn(
  {
    services: { store, clock },
    viewer,
    fields,
  }: ViewerCall & { fields: { name: string; project: string; owner: string } },
  given: { slug: string | undefined; slugField: string; entered: EnteredSettings; doneText: string },
): Promise<FormOutcome> {
  const { slug, slugField, entered, doneText } = given
  const { projects } = await listFilterChoices(store.db, projectsWith(viewer, 'configure'))
  const project = projects.find((each) => each.slug === fields.project)
  if (project === undefined) return reject([{ field: 'project', message: 'Choose a project.' }])
  if (slug === undefined) return reject([{ field: slugField, message: 'Use letters, digits, - and _.' }])
  if (!entered.ok) return entered.outcome
  const owned = await withOwner(store, { projectId: project.id, ...entered, owner: fields.owner })
  if (!owned.ok) return owned.outcome
  const { settings } = owned
  const created = await recordNewMonitor(
    store,
    { projectId: project.id, slug, name: fields.name, settings },
    clock(),
  )
  if (created === 'slug_in_use')
    return reject([{ field: slugField, message: `The project already has a monitor ${slug}.` }])
  if (created === 'too_many') return reject('The project has reached the maximum number of monitors.')
  return { kind: 'done', text: doneText, leadsTo: `/monitors/${project.slug}/${slug}` }
}

/** The settings with the entered owner, or the error at its field. */
async function withOwner(
  store: Store,
  { projectId, settings, owner }: { projectId: number; settings: StoredSettings; owner: string },
): Promise<EnteredSettings> {
  const entered = await readEnteredOwner(store.db, projectId, owner)
  return entered.ok
    ? { ok: true, settings: { ...settings, owner: entered.owner } }
    : { ok: false, outcome: reject([{ field: 'owner', message: entered.problem }]) }
}

const prepareViewer = async ({ services, viewer }: FormCall): Promise<Prepared<ViewerCall>> =>
  viewer === undefined ? { outcome: { kind: 'signed-out' } } : { context: { services, viewer } }

/** The form of `/monitors/new`. */
export const newMonitorForms = definePageForms({ create }, { prepare: prepareViewer })

/** The form of `/monitors/new-uptime`. */
export const newUptimeForms = definePageForms({ createUptime }, { prepare: prepareViewer })

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

const hasOtherSettings = reject('This monitor has other settings. Reload the page.')

async function saveSettings(
  call: MonitorCall & { fields: { name: string; owner: string } },
  entered: EnteredSettings,
): Promise<FormOutcome> {
  if (!entered.ok) return entered.outcome
  const { services, monitor, fields } = call
  const { projectId } = monitor
  const owned = await withOwner(services.store, { projectId, ...entered, owner: fields.owner })
  if (!owned.ok) return owned.outcome
  return changeMonitor(call, { name: fields.name, settings: owned.settings }, 'Monitor saved.')
}

const nothing = v.object({})

const forms = {
  save: monitorForm(settingsForm, async (call) =>
    isUptime(call.monitor.settings) ? hasOtherSettings : saveSettings(call, toSettings(call.fields)),
  ),
  saveUptime: monitorForm(v.object({ name, owner: text, ...uptimeFields }), async (call) => {
    const { settings } = call.monitor
    return isUptime(settings)
      ? saveSettings(call, toUptimeSettings(call.fields, settings.environment))
      : hasOtherSettings
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

const noSuchMonitor = reject('This monitor no longer exists.', 404)
const cannotChange = reject('Only admins and owners of the organization can change it.', 403)

/** Also deletes a monitor that this version cannot read, which has no page. */
const deleteListed = formsFor<ViewerCall>()(
  v.object({ monitor: text }),
  async ({ services: { store, clock }, viewer, fields }) => {
    const [monitor] = await listMonitorReferences(store.db, {
      projectIds: reachableProjects(viewer),
      name: fields.monitor,
    })
    if (monitor === undefined) return noSuchMonitor
    if (!projectsWith(viewer, 'configure').includes(monitor.projectId)) return cannotChange
    await recordMonitorDeletion(store, monitor, clock())
    return { kind: 'done', text: 'Monitor deleted.' }
  },
)

/** The form of `/monitors`. */
export const monitorListForms = definePageForms({ delete: deleteListed }, { prepare: prepareViewer })

/** The forms of `/monitors/$project/$slug`. */
export const monitorForms = definePageForms(forms, {
  prepare: async ({ services, viewer, params }) => {
    if (viewer === undefined) return { outcome: { kind: 'signed-out' } }
    const monitor = await findMonitor(services.store.db, {
      projectIds: reachableProjects(viewer),
      projectSlug: params['project'] ?? '',
      slug: params['slug'] ?? '',
    })
    if (monitor === undefined) return { outcome: noSuchMonitor }
    return projectsWith(viewer, 'configure').includes(monitor.projectId)
      ? { context: { services, monitor } }
      : { outcome: cannotChange }
  },
})
