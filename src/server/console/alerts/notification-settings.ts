import * as v from 'valibot'
import { findWay, notificationWays } from '#alerts/preference.ts'
import type { NotificationPreference } from '#alerts/preference.ts'
import { alertTransitions } from '#alerts/transition.ts'
import { mayConfigure, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { accountForm, accountPageForms } from '#server/console/account/account-form.ts'
import { lastText, texts } from '#server/forms/fields.ts'
import { markOf, rejectOutdated } from '#server/forms/mark.ts'
import type { Services } from '#server/services.ts'
import { listPreferences, recordPreferences } from '#server/store/alerts/preferences.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { getPushBrowsersView, removeBrowser, subscribeBrowser } from './push-browsers.ts'
import type { NotificationSettingsView } from './views.ts'

/** What the viewer has chosen, the projects that they reach, and their browsers. Four statements. */
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
    mayConfigure: mayConfigure(viewer),
    hasMail,
    email: viewer.email,
    ways: alertTransitions.map((transition) => ({
      transition,
      way: findWay(preferences, { projectId: 0, transition, hasMail }),
    })),
    projects: projects
      .filter(({ id }) => reached.includes(id))
      .map(({ id, name }) => ({
        id,
        name,
        isMuted: preferences.some((each) => each.projectId === id && each.way === 'none'),
      })),
    push,
    mark: markOf(preferences),
  }
}

const way = v.pipe(lastText, v.optional(v.picklist(notificationWays, 'Choose a kind of notification.')))
const settingsFields = v.object({
  new: way,
  regressed: way,
  escalated: way,
  unarchived: way,
  assigned: way,
  comment: way,
  threshold: way,
  normal: way,
  release: way,
  first_event: way,
  crash_free: way,
  crash_free_normal: way,
  trouble: way,
  trouble_over: way,
  projects: texts,
})

const save = accountForm(settingsFields, async ({ services: { store }, viewer, fields, mark }) => {
  const { userId } = viewer
  const outdated = rejectOutdated(mark, markOf(await listPreferences(store.db, userId)))
  if (outdated !== undefined) return outdated
  const reached = reachableProjects(viewer)
  const chosen = alertTransitions.flatMap((transition): NotificationPreference[] => {
    const each = fields[transition]
    return each === undefined ? [] : [{ projectId: 0, transition, way: each }]
  })
  const muted = reached
    .filter((projectId) => !fields.projects.includes(String(projectId)))
    .map((projectId): NotificationPreference => ({ projectId, transition: 'any', way: 'none' }))
  await recordPreferences(store, { userId, projectIds: [0, ...reached], preferences: [...chosen, ...muted] })
  return { kind: 'done', text: 'Notifications saved.' }
})

/** The forms of `/settings/notifications`. */
export const notificationForms = accountPageForms({
  save,
  subscribe: subscribeBrowser,
  remove: removeBrowser,
})
