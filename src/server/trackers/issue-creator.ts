import { createDestinationRule } from '#server/alerts/channels/http/destination-rule.ts'
import { sendJson, type JsonRequest } from '#server/alerts/channels/http/send-json.ts'
import type { Env } from '#server/env.ts'
import { UpstreamConnections } from '#server/forward/connection.ts'
import type { IssueDraft, IssueTracker, TrackerTarget } from '#source-links/issue-tracker.ts'
import type { CreatedIssue, NewIssue } from './created-issue.ts'
import { createInJira } from './jira-issue.ts'
import { createInLinear } from './linear-issue.ts'
import { createInGitHub, createInGitLab } from './repository-issue.ts'

/** Creates issues in trackers, through their APIs. */
export interface IssueCreator {
  create(target: TrackerTarget, token: string, draft: IssueDraft): Promise<CreatedIssue>
  /** Aborts requests in flight. */
  stop(): void
}

const creators: Record<IssueTracker, (issue: NewIssue) => Promise<CreatedIssue>> = {
  github: createInGitHub,
  gitlab: createInGitLab,
  jira: createInJira,
  linear: createInLinear,
}

/** Creates a creator, which applies the address rule of alert destinations, and opens nothing yet. */
export function createIssueCreator({ privateDestinations }: Pick<Env, 'privateDestinations'>): IssueCreator {
  const connections = new UpstreamConnections({ rule: createDestinationRule(privateDestinations) })
  const send = (request: JsonRequest) => sendJson(request, { connections })
  return {
    create: (target, token, draft) => creators[target.kind]({ target, token, draft, send }),
    stop: () => connections.close(),
  }
}
