import { limits } from '#server/limits.ts'
import { findProjectSettings, type ProjectSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import { recordTrackerReport } from '#server/store/triage/links.ts'
import { tooLargeStatus } from '#server/too-large.ts'
import { reportFormats, type ReportFormat } from './tracker-report.ts'
import { openLinearSecret, readWebhookSecret } from './tracker-secrets.ts'

interface ReportServices {
  store: Store
  clock: () => number
  env: { secret?: string }
}

/**
 * Answers the webhook of a tracker about a closed or reopened issue. 403 without the signature of the
 * project, or for a report that is too old; every other one is accepted, so that the tracker does not disable
 * the webhook. A repeated report changes nothing.
 */
export async function answerTrackerReport(
  { store, clock, env }: ReportServices,
  request: Request,
  project: string,
): Promise<Response> {
  const body = await readBody(request)
  if (body === undefined) return answer(tooLargeStatus, 'The request is too large, or incomplete.')
  const format = reportFormats.find(({ header }) => request.headers.has(header))
  const projectId = /^[1-9]\d{0,15}$/.test(project) ? Number(project) : 0
  const settings = await findProjectSettings(store.db, projectId)
  const secret =
    settings === undefined || format === undefined
      ? undefined
      : await findSecret({ store, secret: env.secret }, { projectId, settings, format })
  const signature = request.headers.get(format?.header ?? '-') ?? ''
  if (settings === undefined || secret === undefined || format?.isSigned(signature, body, secret) !== true)
    return answer(403, 'The signature is missing or wrong. The secret is under the project’s Source code.')
  const text = body.toString('utf8')
  const at = clock()
  const sentAt = format.age?.parse(text)
  if (!isCurrent(format, sentAt, at)) return answer(403, 'The request is too old, or has no time.')
  const report = format.parse(text)
  if (report === undefined) return answer(200, 'Not an event of an issue.')
  const resolves = settings.issueTracker.resolvesHere
  const changedCount = await recordTrackerReport(store, { projectId, ...report, sentAt, resolves, at })
  return answer(200, changedCount === 0 ? 'Nothing changed.' : 'Applied.')
}

async function readBody(request: Request): Promise<Buffer | undefined> {
  try {
    const body = Buffer.from(await request.arrayBuffer())
    return body.length <= limits.trackerReportBytes ? body : undefined
  } catch {
    return undefined
  }
}

async function findSecret(
  keeper: { store: Store; secret: string | undefined },
  { projectId, settings, format }: { projectId: number; settings: ProjectSettings; format: ReportFormat },
): Promise<string | undefined> {
  return format.secret === 'ours'
    ? readWebhookSecret(keeper, projectId)
    : openLinearSecret(keeper, projectId, settings.issueTracker.sealedWebhookSecret)
}

function isCurrent({ age }: ReportFormat, sentAt: number | undefined, now: number): boolean {
  if (age === undefined) return true
  return sentAt !== undefined && Math.abs(now - sentAt) <= age.maxAgeMs
}

function answer(status: number, detail: string): Response {
  return Response.json({ detail }, { status, headers: { 'cache-control': 'no-store' } })
}
