import * as v from 'valibot'
import { readAnswerJson } from '#server/alerts/channels/http/judge-answer.ts'
import { toIssueBody, type IssueDraft } from '#source-links/issue-tracker.ts'
import { describeRejection, toCreatedIssue, type CreatedIssue, type NewIssue } from './created-issue.ts'

const JiraIssue = v.object({ key: v.string() })

/**
 * With an email address: Jira Cloud, whose API tokens belong to an account
 * (https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-post).
 * Without: Jira Data Center and its personal access tokens, with version 2 of the API, which has no ADF.
 */
export async function createInJira({ target, token, draft, send }: NewIssue): Promise<CreatedIssue> {
  const isCloud = target.jiraEmail !== ''
  const authorization = isCloud
    ? `Basic ${Buffer.from(`${target.jiraEmail}:${token}`).toString('base64')}`
    : `Bearer ${token}`
  const answer = await send({
    url: `${target.url}/rest/api/${isCloud ? 3 : 2}/issue`,
    headers: { authorization, accept: 'application/json' },
    body: JSON.stringify({
      fields: {
        project: { id: target.jiraProject },
        issuetype: { id: target.jiraType },
        summary: draft.title,
        description: isCloud ? toDocument(draft) : toIssueBody('jira', draft),
      },
    }),
  })
  const { host } = new URL(target.url)
  if (answer.kind === 'failed' || answer.status !== 201) return describeRejection(host, answer)
  const key = readAnswerJson(answer, JiraIssue)?.key
  return toCreatedIssue(target, key === undefined ? undefined : `${target.url}/browse/${key}`)
}

/**
 * The text as Atlassian Document Format (https://developer.atlassian.com/cloud/jira/platform/apis/document/).
 * Its text nodes have no markup, so the event's text needs no escaping. Jira rejects empty text nodes.
 */
function toDocument({ intro, address, quoted }: IssueDraft): object {
  const text = quoted.toWellFormed()
  const link = { type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] }
  return {
    type: 'doc',
    version: 1,
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: `${intro} ` }, link] },
      ...(text === '' ? [] : [{ type: 'codeBlock', content: [{ type: 'text', text }] }]),
    ],
  }
}
