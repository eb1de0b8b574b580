import * as v from 'valibot'
import { createDestinationRule } from '#server/alerts/channels/http/destination-rule.ts'
import { readAnswerJson } from '#server/alerts/channels/http/judge-answer.ts'
import { sendJson, type JsonRequest } from '#server/alerts/channels/http/send-json.ts'
import { toPlainLine } from '#server/alerts/channels/plain-text.ts'
import type { Env } from '#server/env.ts'
import type { ReceivedAnswer } from '#server/forward/awaited-answer.ts'
import { UpstreamConnections } from '#server/forward/connection.ts'
import {
  nameTrackerIssue,
  toIssueBody,
  type IssueDraft,
  type TrackerPlace,
} from '#source-links/issue-tracker.ts'

/** An issue that was created in a tracker, or why it was not. */
export type CreatedIssue = { ok: true; url: string; name: string } | { ok: false; problem: string }

/** Creates issues in GitHub and GitLab. */
export interface IssueCreator {
  create(place: TrackerPlace, token: string, draft: IssueDraft): Promise<CreatedIssue>
  /** Ends what is being sent. */
  stop(): void
}

/** Creates a creator. It connects to what destinations of alerts may connect to, and opens nothing yet. */
export function createIssueCreator({ privateDestinations }: Pick<Env, 'privateDestinations'>): IssueCreator {
  const connections = new UpstreamConnections({ rule: createDestinationRule(privateDestinations) })
  return {
    async create(place, token, draft) {
      const request = toRequest(place, token, draft)
      if (request === undefined)
        return { ok: false, problem: 'By token, issues are created in GitHub and GitLab.' }
      return toCreated(await sendJson(request, { connections }), place)
    },
    stop: () => connections.close(),
  }
}

/**
 * https://docs.github.com/en/rest/issues/issues#create-an-issue and
 * https://docs.gitlab.com/api/issues/#new-issue
 */
function toRequest(place: TrackerPlace, token: string, draft: IssueDraft): JsonRequest | undefined {
  const { origin, host, pathname } = new URL(place.url)
  const body = toIssueBody(place.kind, draft)
  const repository = pathname.slice(1)
  if (place.kind === 'github') {
    const api = host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`
    return {
      url: `${api}/repos/${repository}/issues`,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      },
      body: JSON.stringify({ title: draft.title, body }),
    }
  }
  if (place.kind === 'gitlab')
    return {
      url: `${origin}/api/v4/projects/${encodeURIComponent(repository)}/issues`,
      headers: { 'private-token': token },
      body: JSON.stringify({ title: draft.title, description: body }),
    }
  return undefined
}

const GitHubIssue = v.object({ html_url: v.string() })
const GitLabIssue = v.object({ web_url: v.string() })

function toCreated(answer: ReceivedAnswer, { kind, url: place }: TrackerPlace): CreatedIssue {
  const host = new URL(place).host
  if (answer.kind === 'failed') return { ok: false, problem: `${host} cannot be reached: ${answer.problem}.` }
  if (answer.status !== 201) return { ok: false, problem: describeRejection(host, answer) }
  const url =
    kind === 'github'
      ? readAnswerJson(answer, GitHubIssue)?.html_url
      : readAnswerJson(answer, GitLabIssue)?.web_url
  const name = url === undefined ? undefined : nameTrackerIssue(url)
  // The address becomes a link: another host is not the tracker.
  if (url === undefined || name === undefined || new URL(url).host !== host)
    return { ok: false, problem: `${host} created an issue, but its answer has no address of it.` }
  return { ok: true, url, name }
}

const reasons: Readonly<Record<number, string>> = {
  401: 'the token is wrong or has expired',
  403: 'the token may not create issues, or the rate limit is reached',
  404: 'there is no such repository, or the token does not reach it',
  410: 'issues are disabled in this repository',
  422: 'it rejects the issue',
  429: 'the rate limit is reached',
}

function describeRejection(host: string, { status, body = '' }: { status: number; body?: string }): string {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), v.object({ message: v.string() })), body)
  const said = parsed.success ? ` “${toPlainLine(parsed.output.message, 200)}”` : ''
  const reason = reasons[status] ?? 'it did not create the issue'
  return `${host} answers ${status}: ${reason}.${said}`
}
