import * as v from 'valibot'
import { readAnswerJson } from '#server/alerts/channels/http/judge-answer.ts'
import { toIssueBody } from '#source-links/issue-tracker.ts'
import { describeRejection, toCreatedIssue, type CreatedIssue, type NewIssue } from './created-issue.ts'

const GitHubIssue = v.object({ html_url: v.string() })
const GitLabIssue = v.object({ web_url: v.string() })

/** https://docs.github.com/en/rest/issues/issues#create-an-issue; GitHub Enterprise: below `/api/v3` */
export async function createInGitHub({ target, token, draft, send }: NewIssue): Promise<CreatedIssue> {
  const { origin, host, pathname } = new URL(target.url)
  const api = host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`
  const answer = await send({
    url: `${api}/repos/${pathname.slice(1)}/issues`,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
    body: JSON.stringify({ title: draft.title, body: toIssueBody('github', draft) }),
  })
  if (answer.kind === 'failed' || answer.status !== 201) return describeRejection(host, answer)
  return toCreatedIssue(target, readAnswerJson(answer, GitHubIssue)?.html_url)
}

/** https://docs.gitlab.com/api/issues/#new-issue */
export async function createInGitLab({ target, token, draft, send }: NewIssue): Promise<CreatedIssue> {
  const { origin, host, pathname } = new URL(target.url)
  const answer = await send({
    url: `${origin}/api/v4/projects/${encodeURIComponent(pathname.slice(1))}/issues`,
    headers: { 'private-token': token },
    body: JSON.stringify({ title: draft.title, description: toIssueBody('gitlab', draft) }),
  })
  if (answer.kind === 'failed' || answer.status !== 201) return describeRejection(host, answer)
  return toCreatedIssue(target, readAnswerJson(answer, GitLabIssue)?.web_url)
}
