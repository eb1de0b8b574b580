import * as v from 'valibot'
import { readAnswerJson } from '#server/alerts/channels/http/judge-answer.ts'
import type { ReceivedAnswer } from '#server/forward/awaited-answer.ts'
import { toIssueBody } from '#source-links/issue-tracker.ts'
import {
  describeRejection,
  quoteAnswer,
  toCreatedIssue,
  type CreatedIssue,
  type NewIssue,
} from './created-issue.ts'

/** An issue names its team by id, a URL by key. */
const teamQuery =
  'query Team($key: String!) { teams(filter: { key: { eqIgnoreCase: $key } }, first: 1) { nodes { id } } }'
const Teams = v.object({
  data: v.object({ teams: v.object({ nodes: v.array(v.object({ id: v.string() })) }) }),
})

const createMutation =
  'mutation Create($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { url } } }'
const Created = v.object({
  data: v.object({
    issueCreate: v.object({ success: v.literal(true), issue: v.object({ url: v.string() }) }),
  }),
})

/** The key of the team in the URL of a Linear team: `ENG` of `https://linear.app/acme/team/ENG`. */
export function findLinearTeam(address: string): string | undefined {
  return URL.canParse(address)
    ? /^\/[^/]+\/team\/([A-Za-z0-9]{1,32})(?:\/|$)/.exec(new URL(address).pathname)?.[1]
    : undefined
}

/** https://linear.app/developers/graphql. Personal API keys are sent without a scheme. */
export async function createInLinear({ target, token, draft, send }: NewIssue): Promise<CreatedIssue> {
  const { origin, host } = new URL(target.url)
  const query = (text: string, variables: object) =>
    send({
      url: host === 'linear.app' ? 'https://api.linear.app/graphql' : `${origin}/graphql`,
      headers: { authorization: token },
      body: JSON.stringify({ query: text, variables }),
    })
  const key = findLinearTeam(target.url) ?? ''
  const found = await query(teamQuery, { key })
  const teams = readAnswerJson(found, Teams)?.data.teams.nodes
  if (teams === undefined) return describeFailure(host, found)
  const [team] = teams
  if (team === undefined)
    return { ok: false, problem: `${host} has no team ${key}, or the token has no access.` }
  const input = { teamId: team.id, title: draft.title, description: toIssueBody('linear', draft) }
  const answer = await query(createMutation, { input })
  const created = readAnswerJson(answer, Created)?.data.issueCreate.issue
  return created === undefined ? describeFailure(host, answer) : toCreatedIssue(target, created.url)
}

/** GraphQL answers some errors with 200. */
function describeFailure(host: string, answer: ReceivedAnswer): CreatedIssue {
  if (answer.kind === 'failed' || answer.status !== 200) return describeRejection(host, answer)
  return { ok: false, problem: `${host} did not create the issue.${quoteAnswer(answer.body)}` }
}
