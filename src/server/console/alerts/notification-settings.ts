import * as v from 'valibot'
import { findWay, notificationWays, type NotificationPreference } from '#alerts/preference.ts'
import { alertTransitions } from '#alerts/transition.ts'
import { canConfigure, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { accountForm, accountPageForms } from '#server/console/account/account-form.ts'
import { lastText } from '#server/forms/fields.ts'
import type { FormProblem } from '#server/forms/form-views.ts'
import { reject } from '#server/forms/form.ts'
import { markOf, rejectOutdated } from '#server/forms/mark.ts'
import type { Services } from '#server/services.ts'
import { listPreferences, recordPreferences } from '#server/store/alerts/preferences.ts'
import { sortByName } from '#server/store/name-order.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { getPushBrowsersView, removeBrowser, subscribeBrowser } from './push-browsers.ts'
import type { NotificationSettingsView } from './views.ts'

/** The viewer's notification settings, their projects and their browsers. Four statements. */
export async function getNotificationSettingsView(
  services: Pick<Services, 'store' | 'clock' | 'env' | 'publicOrigin'>,
  viewer: Viewer,
): Promise<NotificationSettingsView> {
  const { clock, env, store } = services
  const [preferences, projects, push] = await Promise.all([
    listPreferences(store.db, viewer.userId),
    listProjectNames(store.db),
    getPushBrowsersView(services, viewer),
  ])
  const reached = reachableProjects(viewer)
  const hasMail = env.mail !== undefined
  return {
    now: clock(),
    canConfigure: canConfigure(viewer),
    hasMail,
    email: viewer.email,
    ways: alertTransitions.map((transition) => ({
      transition,
      way: findWay(preferences, { projectId: 0, transition, hasMail }),
    })),
    projects: sortByName(projects, ({ name }) => name)
      .filter(({ id }) => reached.includes(id))
      .map(({ id, name }) => ({
        id,
        name,
        way: preferences.find((each) => each.projectId === id && each.transition === 'any')?.way,
      })),
    exceptions: preferences.flatMap(({ projectId, transition, way: chosen }) => {
      const project = projects.find(({ id }) => id === projectId && reached.includes(id))
      return project === undefined || transition === 'any'
        ? []
        : [{ projectId, projectName: project.name, transition, way: chosen }]
    }),
    push,
    mark: markOf(preferences),
  }
}

const way = v.pipe(lastText, v.optional(v.picklist(notificationWays, 'Choose a kind of notification.')))
const settingsFields = v.objectWithRest(
  {
    new: way,
    regressed: way,
    escalated: way,
    unarchived: way,
    assigned: way,
    comment: way,
    mention: way,
    threshold: way,
    normal: way,
    recovered: way,
    release: way,
    first_event: way,
    crash_free: way,
    crash_free_normal: way,
    trouble: way,
    trouble_over: way,
  },
  // The fields `project-` with an id and `exception-` with a kind, and those of a new exception; the value is
  // a way, or empty.
  lastText,
)
const projectWay = v.picklist(['', ...notificationWays])

const save = accountForm(settingsFields, async ({ services: { store }, viewer, fields, mark }) => {
  const { userId } = viewer
  const outdated = rejectOutdated(mark, markOf(await listPreferences(store.db, userId)))
  if (outdated !== undefined) return outdated
  const reached = reachableProjects(viewer)
  const chosen = alertTransitions.flatMap((transition): NotificationPreference[] => {
    const each = fields[transition]
    return each === undefined ? [] : [{ projectId: 0, transition, way: each }]
  })
  const ofProjects = reached.flatMap((projectId) => {
    const { [`project-${projectId}`]: entered } = fields
    return entered === undefined ? [] : [{ projectId, field: `project-${projectId}`, entered }]
  })
  const problems: FormProblem[] = []
  for (const { projectId, field, entered } of ofProjects) {
    const { success, output } = v.safeParse(projectWay, entered)
    if (!success) problems.push({ field, message: 'Choose a kind of notification.' })
    else if (output !== '') chosen.push({ projectId, transition: 'any', way: output })
  }
  for (const { projectId, transition, field, entered } of listExceptions(fields, reached)) {
    const { success, output } = v.safeParse(projectWay, entered)
    if (!success) problems.push({ field, message: 'Choose a kind of notification.' })
    else if (output !== '') chosen.push({ projectId, transition, way: output })
  }
  if (problems.length > 0) return reject(problems)
  const projectIds = [0, ...ofProjects.map(({ projectId }) => projectId)]
  await recordPreferences(store, { userId, projectIds, preferences: chosen })
  return { kind: 'done', text: 'Notifications saved.' }
})

/** The entered exceptions. The new one is last, so that it replaces an existing one. */
function listExceptions(fields: Readonly<Record<string, string | undefined>>, reached: readonly number[]) {
  const listed = reached.flatMap((projectId) =>
    alertTransitions.flatMap((transition) => {
      const field = `exception-${projectId}-${transition}`
      const { [field]: entered } = fields
      return entered === undefined ? [] : [{ projectId, transition, field, entered }]
    }),
  )
  const { newProject, newKind, newWay } = fields
  const projectId = reached.find((id) => String(id) === newProject)
  const transition = alertTransitions.find((each) => each === newKind)
  if (projectId === undefined || transition === undefined || newWay === undefined) return listed
  const others = listed.filter((each) => each.projectId !== projectId || each.transition !== transition)
  return [...others, { projectId, transition, field: 'newWay', entered: newWay }]
}

/** The forms of `/settings/notifications`. */
export const notificationForms = accountPageForms({
  save,
  subscribe: subscribeBrowser,
  remove: removeBrowser,
})
