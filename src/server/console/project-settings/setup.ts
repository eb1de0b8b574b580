import * as v from 'valibot'
import { toArrivalLines } from '#server/console/outcomes/arrival-lines.ts'
import { reject } from '#server/forms/form.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import { findSampleEvent } from '#server/store/events/samples.ts'
import { listOutcomeTotals } from '#server/store/outcomes/outcomes.ts'
import { findRejection } from '#server/store/outcomes/rejected-requests.ts'
import { listKeyRows } from '#server/store/projects/key-changes.ts'
import { findProjectSetup } from '#server/store/projects/setup.ts'
import { firstOf24Hours } from '#time/time-steps.ts'
import { projectForm } from './project-form.ts'
import { defineProjectPage } from './project-page.ts'
import { toRejectedRequests } from './rejected-requests.ts'

/** Sends a test event with the project's first active key, and returns its URL. */
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

/**
 * The page "Setup": how to configure an SDK for the project, whether an event has arrived, and what else has.
 * Three statements.
 */
export const setupPage = defineProjectPage({
  page: 'setup',
  title: 'Setup',
  permission: 'read',
  view: async ({ services, project }) => {
    const { db } = services.store
    const { publicKey, issue } = await findProjectSetup(db, project.id)
    const since = firstOf24Hours(services.clock())
    const totals = await listOutcomeTotals(db, { projectIds: [project.id], since })
    // Rejected requests are listed separately.
    const arrived = totals.filter((total) => findRejection(total) === undefined)
    return {
      rejected: toRejectedRequests(totals),
      ...(publicKey !== undefined && {
        dsn: toProjectDsn(services.publicOrigin, { publicKey, projectId: project.id }),
      }),
      issue,
      ...(issue === undefined && { arrivals: toArrivalLines(arrived) }),
    }
  },
  forms: { test: sendTest },
})
