import type { SourceLinkSettings } from './source-link.ts'

/** Trackers in which an issue can be created. */
export const issueTrackers = ['github', 'gitlab', 'jira', 'linear'] as const
export type IssueTracker = (typeof issueTrackers)[number]

/** Where the issues of a project are created. */
export interface IssueTrackerSettings {
  /** `repository`: in the code host of the source links, if that is GitHub or GitLab. */
  kind: 'repository' | 'none' | IssueTracker
  /** URL of the repository, the Jira site or the Linear team; empty for that of the source links. */
  url: string
  /** Jira: ids of the project (`pid`) and of the issue type. */
  jiraProject: string
  jiraType: string
  /** Jira Cloud: email address of the owner of the API token. Empty: a token of Jira Data Center. */
  jiraEmail: string
}

/** The tracker of a project. */
export interface TrackerTarget {
  kind: IssueTracker
  /** Without a trailing slash. */
  url: string
  jiraProject: string
  jiraType: string
  jiraEmail: string
}

/** The content of a new issue in a tracker. All texts except `intro` are untrusted. */
export interface IssueDraft {
  /** One line. */
  title: string
  /** Culvert's own words before the link back. */
  intro: string
  /** The link back. */
  address: string
  /** Text of the event, which must not be interpreted as markup. */
  quoted: string
}

/** GitHub answers longer addresses with 414, and some proxies above 8,000 characters. */
const longestUrl = 6_000

/** The tracker of a project; undefined if there is none. */
export function findTracker(
  { kind, url, jiraProject, jiraType, jiraEmail }: IssueTrackerSettings,
  links: Pick<SourceLinkSettings, 'host' | 'url'>,
): TrackerTarget | undefined {
  if (kind === 'none') return undefined
  const found = kind === 'repository' ? hostTracker(links.host) : kind
  const isRepository = found === 'github' || found === 'gitlab'
  const address = url === '' && isRepository ? links.url : url
  if (found === undefined || (address === '' && found !== 'linear')) return undefined
  return { kind: found, url: address, jiraProject, jiraType, jiraEmail }
}

function hostTracker(host: SourceLinkSettings['host']): IssueTracker | undefined {
  return host === 'github' || host === 'gitlab' ? host : undefined
}

/**
 * The address of a tracker's form with its fields filled in. Cuts the quoted text until the address has at
 * most 6,000 characters.
 */
export function toNewIssueUrl(target: TrackerTarget, draft: IssueDraft): string {
  const at = (quoted: string) => toUrl(target, { ...draft, quoted })
  let { quoted } = draft
  let url = at(quoted)
  while (url.length > longestUrl && quoted !== '') {
    // A character takes up to 12 in the address, so a few steps come close to the limit.
    const length = Math.floor((quoted.length * longestUrl) / url.length) - 20
    quoted = quoted.slice(0, Math.max(0, length)).toWellFormed()
    url = at(quoted)
  }
  return url
}

function toUrl(target: TrackerTarget, draft: IssueDraft): string {
  const { kind, url, jiraProject, jiraType } = target
  const [title, body] = [draft.title.toWellFormed(), toIssueBody(kind, draft)]
  switch (kind) {
    case 'github':
      return `${url}/issues/new?${toQuery({ title, body })}`
    case 'gitlab':
      return `${url}/-/issues/new?${toQuery({ 'issue[title]': title, 'issue[description]': body })}`
    case 'linear':
      return `${url === '' ? 'https://linear.new' : `${url}/new`}?${toQuery({ title, description: body })}`
    case 'jira':
  }
  const fields = { pid: jiraProject, issuetype: jiraType, summary: title, description: body }
  return `${url}/secure/CreateIssueDetails!init.jspa?${toQuery(fields)}`
}

function toQuery(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

/**
 * The body of an issue. Text of the event is in a code block that it cannot close: otherwise GitHub would
 * notify the users that it mentions, and GitLab would run its quick actions.
 */
export function toIssueBody(kind: IssueTracker, { intro, address, quoted }: IssueDraft): string {
  const text = quoted.toWellFormed()
  const start = `${intro} ${address}`
  if (text === '') return start
  if (kind === 'jira') {
    const inert = text.replaceAll(/\{(?=\/?noformat)/gi, '( ')
    return `${start}\n\n{noformat}\n${inert}\n{noformat}`
  }
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${start}\n\n${fence}\n${text}\n${fence}`
}

/** An issue of a tracker by its address. */
export interface TrackerIssue {
  /** `acme/shop#12`, `ENG-7` */
  name: string
  /**
   * Without its variable parts: the title in Linear's addresses, a comment, a search. Webhook requests of the
   * tracker are compared with it.
   */
  url: string
}

/** Parses the address of an issue of a tracker; undefined for any other address. */
export function parseTrackerIssue(address: string): TrackerIssue | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  const [path, repository, number] =
    /^\/(.+?)(?:\/-)?\/(?:issues|work_items|merge_requests|pull)\/(\d{1,15})(?=\/?$)/.exec(url.pathname) ?? []
  if (path !== undefined && repository !== undefined && number !== undefined)
    return { name: `${repository}#${number}`, url: `${url.origin}${path}` }
  const [keyPath, key] =
    /^.*\/(?:browse|issue)\/([A-Za-z][A-Za-z0-9_]{0,30}-\d{1,15})(?=\/|$)/.exec(url.pathname) ?? []
  return keyPath === undefined || key === undefined
    ? undefined
    : { name: key, url: `${url.origin}${keyPath}` }
}
