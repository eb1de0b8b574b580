import * as v from 'valibot'
import { findRejectionReason, rejectionCategory } from '#protocol/rejection.ts'
import { toArrivalLines } from '#server/console/arrival-lines.ts'
import { reject } from '#server/forms/form.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import type { Services } from '#server/services.ts'
import { findAnyIssue } from '#server/store/first-issue.ts'
import { firstOf24Hours } from '#server/store/hour.ts'
import type { ArrivalLine } from '#server/store/outcome-views.ts'
import { listOutcomeTotals } from '#server/store/outcomes.ts'
import { listKeyRows } from '#server/store/project-key-changes.ts'
import { findSampleEvent } from '#server/store/sample-events.ts'
import { getProjectPage } from './page.ts'
import { projectForm, projectForms } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'
import { listRejectedRequests } from './rejected-requests.ts'

/** Sends a test event with the project's first active key, and says where it is. */
const sendTest = projectForm(v.object({}), async ({ services, project }) => {
  const { db } = services.store
  const key = (await listKeyRows(db, project.id)).find(({ isActive }) => isActive)
  if (key === undefined) return reject('No key is active: enable or add one, then send again.')
  const { status, eventId } = await services.sendTestEvent(key)
  if (status !== 200) return reject(rejectionText(status))
  const stored = await findSampleEvent(db, { projectId: project.id, id: eventId })
  return { kind: 'shown', shown: { kind: 'test-event', eventId, isStored: stored !== undefined } }
})

function rejectionText(status: number): string {
  if (status === 429) return 'Rejected with 429: the project is over its rate limits.'
  if (status === 403) return 'Rejected with 403: the project is disabled. Enable it in the danger zone.'
  return `Rejected with ${status}.`
}

/** The page "Set-up": how to point an SDK at the project, whether an event has arrived, and what else has. Five statements. */
export const setupPage = defineProjectPage({
  view: async (services, viewer, { slug }) => {
    const { project, view } = await getProjectPage(services, viewer, slug)
    const { db } = services.store
    const keys = await listKeyRows(db, project.id)
    const key = keys.find(({ isActive }) => isActive)
    const issue = await findAnyIssue(db, project.id)
    const rejected = await listRejectedRequests(services, project.id)
    const arrivals = issue === undefined ? await listArrivals(services, project.id) : undefined
    return {
      page: 'setup' as const,
      ...view,
      rejected,
      ...(key !== undefined && { dsn: toProjectDsn(services.publicOrigin, key) }),
      ...(issue !== undefined && { issue }),
      ...(arrivals !== undefined && { arrivals }),
    }
  },
  forms: projectForms({ test: sendTest }),
})

/** What became of the items of the last 24 hours; rejected requests are listed apart. */
async function listArrivals({ store, clock }: Services, projectId: number): Promise<ArrivalLine[]> {
  const since = firstOf24Hours(clock())
  const totals = await listOutcomeTotals(store.db, { projectIds: [projectId], since })
  return toArrivalLines(
    totals.filter(
      ({ category, reason }) => category !== rejectionCategory || findRejectionReason(reason) === undefined,
    ),
  )
}
