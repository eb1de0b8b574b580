import { sumRows, type Facts } from './facts.ts'
import { fixture } from './target.ts'

/**
 * Maximum time for which the event loop may be blocked, in milliseconds: the health check must be answered
 * within it.
 */
const heldMs = 250
/** Memory that one request may use, and many at once. */
const growthBytes = 150e6
const parallelGrowthBytes = 700e6
const builtInProject = 1

/** The rules for every case, independent of its text: each broken rule as a sentence. */
export function findBrokenRules(facts: Facts): string[] {
  const { input, answers } = facts
  const broken: string[] = []
  const expect = (holds: boolean, rule: string) => {
    if (!holds) broken.push(rule)
  }
  const statuses = [...new Set(answers.map(({ status }) => status))]
  const slowestMs = Math.max(...answers.map(({ ms }) => ms))
  const { status: allowed, max_ms: maxMs } = input.expect
  expect(
    statuses.every((status) => allowed.includes(status)),
    `status ${statuses.join(', ')} instead of ${allowed.join(' or ')}`,
  )
  expect(maxMs === undefined || slowestMs <= maxMs, `answered after ${slowestMs.toFixed(0)} ms`)
  expect(facts.worstHealthMs < heldMs, `the health check took ${facts.worstHealthMs.toFixed(0)} ms`)
  expect(facts.healthFailures === 0, `${facts.healthFailures} health checks failed`)
  const growthLimit = input.repeat > 1 ? parallelGrowthBytes : growthBytes
  expect(facts.growthBytes < growthLimit, `memory grew by ${(facts.growthBytes / 1e6).toFixed(0)} MB`)
  expect(facts.connects.length === 0, `connects elsewhere: ${facts.connects.join(', ')}`)
  expect(facts.nextStatus === 200, `the next event is answered ${facts.nextStatus}`)
  expect(facts.nextAdded === 1, `the next event makes ${facts.nextAdded} rows`)
  expect(facts.after.miscounted === 0, `${facts.after.miscounted} issues count other events than they hold`)
  for (const [project, rows] of facts.added) {
    if (project !== fixture.project) expect(rows === 0, `${rows} rows in project ${project}`)
    if (project === builtInProject) expect(rows === 0, 'an error of the server itself')
  }
  // Bytes after a request on its connection can invalidate the answer, but not the request.
  const canBeStored = input.expect.must.includes('although stored')
  const isAccepted = statuses.includes(200) || statuses.includes(0) || canBeStored
  expect(isAccepted || sumRows(facts.added) === 0, `refused, and ${sumRows(facts.added)} rows stored`)
  expect(facts.loggedErrors.length === 0, `logged ${facts.loggedErrors.join('; ')}`)
  return broken
}
