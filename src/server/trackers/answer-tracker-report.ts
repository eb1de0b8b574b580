import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { getProjectSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import { recordTrackerReport } from '#server/store/triage/links.ts'
import { tooLargeStatus } from '#server/too-large.ts'
import { readWebhookSecret } from './tracker-secrets.ts'

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues */
const GitHubReport = v.object({
  action: v.string(),
  issue: v.object({ html_url: v.string(), state: v.picklist(['open', 'closed']) }),
})

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events */
const GitLabReport = v.object({
  object_kind: v.picklist(['issue', 'work_item']),
  object_attributes: v.object({ url: v.string(), state: v.picklist(['opened', 'closed']) }),
})

interface ReportServices {
  store: Store
  clock: () => number
  env: { secret?: string }
}

/**
 * Answers the webhook of GitHub or GitLab: an issue was closed or reopened. 403 without the signature of the
 * project; every other report is accepted, so that the tracker does not disable the webhook.
 */
export async function answerTrackerReport(
  { store, clock, env }: ReportServices,
  request: Request,
  project: string,
): Promise<Response> {
  const projectId = /^[1-9]\d{0,15}$/.test(project) ? Number(project) : undefined
  const body = await readBody(request)
  if (body === undefined) return answer(tooLargeStatus, 'The report is too large, or incomplete.')
  const secret = await readWebhookSecret({ store, secret: env.secret }, projectId ?? 0)
  if (projectId === undefined || !isSigned(request.headers, body, secret))
    return answer(403, 'The signature is missing or wrong. The secret is under the project’s Source code.')
  const report = parseReport(body)
  if (report === undefined) return answer(200, 'No report of an issue.')
  const settings = await getProjectSettings(store.db, projectId).catch(() => undefined)
  if (settings === undefined) return answer(404, 'The project does not exist.')
  const { resolvesHere } = settings.issueTracker
  const changedCount = await recordTrackerReport(store, {
    projectId,
    ...report,
    resolves: resolvesHere,
    at: clock(),
  })
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

function isSigned(headers: Headers, body: Buffer, secret: string): boolean {
  const signature = headers.get('x-hub-signature-256')
  if (signature !== null)
    return isEqual(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const token = headers.get('x-gitlab-token')
  return token !== null && isEqual(token, secret)
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function parseReport(body: Buffer): { url: string; isClosed: boolean } | undefined {
  const text = body.toString('utf8')
  const github = v.safeParse(v.pipe(v.string(), v.parseJson(), GitHubReport), text)
  if (github.success) {
    const { html_url: url, state } = github.output.issue
    return { url, isClosed: state === 'closed' }
  }
  const gitlab = v.safeParse(v.pipe(v.string(), v.parseJson(), GitLabReport), text)
  if (!gitlab.success) return undefined
  const { url, state } = gitlab.output.object_attributes
  return { url, isClosed: state === 'closed' }
}

function answer(status: number, detail: string): Response {
  return Response.json({ detail }, { status, headers: { 'cache-control': 'no-store' } })
}
