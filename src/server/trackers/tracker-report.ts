import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { parseTrackerIssue } from '#source-links/issue-tracker.ts'

/** An issue of a tracker with its state. */
export interface ReportedIssue {
  /** Its URL, in the tracker's spelling and in Culvert's. */
  urls: string[]
  isClosed: boolean
}

/** The signature of a tracker's reports, and their format. */
export interface ReportFormat {
  /** The header with the signature. */
  header: string
  /** Linear creates the secret itself. */
  secret: 'ours' | 'of-linear'
  isSigned: (signature: string, body: Buffer, secret: string) => boolean
  /** The issue of the report, if it has one. Never throws. */
  parse: (body: string) => ReportedIssue | undefined
  /** When it was sent, in Unix milliseconds, and its maximum age. */
  age?: { parse: (body: string) => number | undefined; maxAgeMs: number }
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues */
const GitHubReport = v.pipe(
  v.object({ issue: v.object({ html_url: v.string(), state: v.picklist(['open', 'closed']) }) }),
  v.transform(({ issue: { html_url: url, state } }) => ({ urls: [url], isClosed: state === 'closed' })),
)

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events */
const GitLabReport = v.pipe(
  v.object({
    object_kind: v.picklist(['issue', 'work_item']),
    object_attributes: v.object({ url: v.string(), state: v.picklist(['opened', 'closed']) }),
  }),
  v.transform(({ object_attributes: { url, state } }) => ({ urls: [url], isClosed: state === 'closed' })),
)

/** https://developer.atlassian.com/cloud/jira/platform/webhooks/ */
const JiraReport = v.pipe(
  v.object({
    issue: v.object({
      self: v.pipe(v.string(), v.regex(/^https?:\/\/[^?#]*\/rest\/api\//)),
      key: v.string(),
      fields: v.object({ status: v.object({ statusCategory: v.object({ key: v.string() }) }) }),
    }),
  }),
  v.transform(({ issue: { self, key, fields } }) => ({
    urls: [`${self.slice(0, self.indexOf('/rest/api/'))}/browse/${key}`],
    isClosed: fields.status.statusCategory.key === 'done',
  })),
)

/** Types of states that close an issue, https://linear.app/docs/configuring-workflows */
const closedTypes: ReadonlySet<string> = new Set(['completed', 'canceled', 'duplicate'])

/** https://linear.app/developers/webhooks#data-change-events-payload */
const LinearReport = v.pipe(
  v.object({
    type: v.literal('Issue'),
    url: v.string(),
    data: v.object({ state: v.object({ type: v.string() }) }),
  }),
  v.transform(({ url, data }) => ({ urls: [url], isClosed: closedTypes.has(data.state.type) })),
)

const LinearAge = v.object({ webhookTimestamp: v.pipe(v.number(), v.integer()) })
const JiraAge = v.object({ timestamp: v.pipe(v.number(), v.integer()) })

/** The formats of all trackers. GitHub also sends a header with Jira's name, so it precedes Jira. */
export const reportFormats: readonly ReportFormat[] = [
  {
    header: 'x-hub-signature-256',
    secret: 'ours',
    isSigned: hasHubSignature,
    parse: (body) => parseReport(body, GitHubReport),
  },
  {
    header: 'x-hub-signature',
    secret: 'ours',
    isSigned: hasHubSignature,
    parse: (body) => parseReport(body, JiraReport),
    age: {
      parse: (body) => parseJson(body, JiraAge)?.timestamp,
      maxAgeMs: limits.jiraReportAgeMs,
    },
  },
  {
    header: 'linear-signature',
    secret: 'of-linear',
    isSigned: (signature, body, secret) => isEqual(signature, sign(body, secret)),
    parse: (body) => parseReport(body, LinearReport),
    age: {
      parse: (body) => parseJson(body, LinearAge)?.webhookTimestamp,
      maxAgeMs: limits.linearReportAgeMs,
    },
  },
  {
    header: 'x-gitlab-token',
    secret: 'ours',
    isSigned: (token, _, secret) => isEqual(token, secret),
    parse: (body) => parseReport(body, GitLabReport),
  },
]

function hasHubSignature(signature: string, body: Buffer, secret: string): boolean {
  return isEqual(signature, `sha256=${sign(body, secret)}`)
}

function sign(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function parseReport(
  body: string,
  schema: v.GenericSchema<unknown, ReportedIssue>,
): ReportedIssue | undefined {
  const report = parseJson(body, schema)
  if (report === undefined) return undefined
  // A link that an earlier version stored has the URL as it was entered.
  const urls = report.urls.flatMap((url) => [url, parseTrackerIssue(url)?.url ?? url])
  return { ...report, urls: [...new Set(urls)] }
}

function parseJson<T>(body: string, schema: v.GenericSchema<unknown, T>): T | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body)
  return parsed.success ? parsed.output : undefined
}
