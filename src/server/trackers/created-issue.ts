import * as v from 'valibot'
import type { JsonRequest } from '#server/alerts/channels/http/send-json.ts'
import { toPlainLine } from '#server/alerts/channels/plain-text.ts'
import type { ReceivedAnswer } from '#server/forward/awaited-answer.ts'
import { limits } from '#server/limits.ts'
import {
  parseTrackerIssue,
  type IssueDraft,
  type TrackerIssue,
  type TrackerTarget,
} from '#source-links/issue-tracker.ts'

/** An issue that was created in a tracker, or the reason why it was not. */
export type CreatedIssue = ({ ok: true } & TrackerIssue) | NotCreated

/** `problem`: sentences for the user. */
export interface NotCreated {
  ok: false
  problem: string
}

/** An issue to create with a token. */
export interface NewIssue {
  target: TrackerTarget
  token: string
  draft: IssueDraft
  send: (request: JsonRequest) => Promise<ReceivedAnswer>
}

/** Validates the URL of a created issue, which becomes a link: another host is not the tracker. */
export function toCreatedIssue(target: TrackerTarget, address: string | undefined): CreatedIssue {
  const { host } = new URL(target.url)
  const issue = address === undefined ? undefined : parseTrackerIssue(address)
  return issue === undefined || new URL(issue.url).host !== host
    ? { ok: false, problem: `${host} created an issue, but its response has no URL of the issue.` }
    : { ok: true, ...issue }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'it rejects the issue',
  401: 'the token is wrong or has expired',
  403: 'the token may not create issues, or the rate limit is reached',
  404: 'there is no such repository or project, or the token has no access',
  410: 'issues are disabled in this repository',
  422: 'it rejects the issue',
  429: 'the rate limit is reached',
}

/** Describes why a tracker did not create an issue, with the error in its answer. */
export function describeRejection(host: string, answer: ReceivedAnswer): NotCreated {
  if (answer.kind === 'failed') return { ok: false, problem: `${host} is unreachable: ${answer.problem}.` }
  const reason = reasons[answer.status] ?? 'it did not create the issue'
  return { ok: false, problem: `${host} answers ${answer.status}: ${reason}.${quoteAnswer(answer.body)}` }
}

/** Error texts of GitHub and GitLab, of Jira, of Linear. */
const errorTexts = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    message: v.optional(v.fallback(v.string(), ''), ''),
    errorMessages: v.optional(v.fallback(v.array(v.string()), []), []),
    errors: v.optional(v.unknown()),
  }),
  v.transform(({ message, errorMessages, errors }) => [
    ...(message === '' ? [] : [message]),
    ...errorMessages,
    ...(v.is(fieldErrors, errors) ? Object.entries(errors).map((entry) => entry.join(': ')) : []),
    ...(v.is(graphErrors, errors) ? errors.map(toGraphText) : []),
  ]),
)

const fieldErrors = v.record(v.string(), v.string())
const graphErrors = v.array(
  v.object({
    message: v.string(),
    extensions: v.optional(v.object({ userPresentableMessage: v.optional(v.string()) })),
  }),
)

function toGraphText({ message, extensions }: v.InferOutput<typeof graphErrors>[number]): string {
  return extensions?.userPresentableMessage ?? message
}

/** The error in a tracker's answer, after a space; empty without one. */
export function quoteAnswer(body = ''): string {
  const parsed = v.safeParse(errorTexts, body)
  const said = parsed.success ? toPlainLine(parsed.output.join(' '), limits.channelTextCharacters) : ''
  return said === '' ? '' : ` “${said}”`
}
