import { describe, expect, it } from 'vitest'
import { apiRoutes } from '#server/api/api-routes.ts'
import { closedPages } from '#server/api/console/forms-routes.ts'
import { listForms } from '#server/console/forms/form-registry.ts'
import { buildConsole, listServerFunctions } from '#test/built-console.ts'

/**
 * Everything that the console can do, an API call can do: each form and each screen names its endpoint, or
 * the reason why there is none. A new one needs a line here.
 */

const issue = 'PUT /issues/{issue}/'
const issueList = 'PUT /organizations/{org}/issues/'
const monitors = '/organizations/{org}/monitors/'
const uptime = '/projects/{org}/{project}/uptime/'
const rules = '/projects/{org}/{project}/rules/'
const keys = '/projects/{org}/{project}/keys/'
const project = '/projects/{org}/{project}/'

/** Forms that have an endpoint in Sentry's shape. Every other one is submitted by `POST …/forms/`. */
const sentryShaped: Record<string, string> = {
  '/actions/issue-status set': issue,
  '/actions/issue-assignee assign': issue,
  '/actions/issue-merge merge': issueList,
  '/actions/issue-comment comment': 'POST /issues/{issue}/comments/',
  '/actions/issue-deletion delete': 'DELETE /issues/{issue}/',
  '/actions/issue-link link': 'POST /issues/{issue}/external-issues/',
  '/monitors delete': `DELETE ${monitors}{monitor}/`,
  '/monitors/new create': `POST ${monitors}`,
  '/monitors/new-uptime createUptime': `POST ${uptime}`,
  '/monitors/$project/$slug save': `PUT ${monitors}{monitor}/`,
  '/monitors/$project/$slug saveUptime': `PUT ${uptime}{uptime}/`,
  '/monitors/$project/$slug pause': `PUT ${monitors}{monitor}/`,
  '/monitors/$project/$slug resume': `PUT ${monitors}{monitor}/`,
  '/monitors/$project/$slug mute': `PUT ${monitors}{monitor}/`,
  '/monitors/$project/$slug unmute': `PUT ${monitors}{monitor}/`,
  '/monitors/$project/$slug delete': `DELETE ${monitors}{monitor}/`,
  '/projects/new create': 'POST /organizations/{org}/projects/',
  '/projects/$slug save': `PUT ${project}`,
  '/projects/$slug/danger delete': `DELETE ${project}`,
  '/projects/$slug/keys add': `POST ${keys}`,
  '/projects/$slug/keys save': `PUT ${keys}{publicKey}/`,
  '/projects/$slug/keys switch': `PUT ${keys}{publicKey}/`,
  '/projects/$slug/alerts add': `POST ${rules}`,
  '/projects/$slug/alerts save': `PUT ${rules}{rule}/`,
  '/projects/$slug/alerts delete': `DELETE ${rules}{rule}/`,
  '/projects/$slug/ownership save': 'PUT /projects/{org}/{project}/ownership/',
}

const own = 'shows settings, which only their forms change'
const ownAccount = 'is about the session of a person'
const pageFrame = 'makes the page of the console around the others'

/** Screens: each with the endpoint that reads the same, or the reason why none does. */
const screens: Record<string, string> = {
  fetchIssueList: 'GET /organizations/{org}/issues/',
  fetchIssue: 'GET /issues/{issue}/',
  fetchIssueProgress: 'GET /issues/{issue}/',
  fetchIssueEvents: 'GET /issues/{issue}/events/',
  fetchIssueTags: 'GET /issues/{issue}/tags/',
  fetchTagValues: 'GET /issues/{issue}/tags/{key}/values/',
  fetchEvent: 'GET /projects/{org}/{project}/events/{event}/',
  fetchDigest: 'GET /organizations/{org}/eventids/{event}/',
  fetchReleaseList: 'GET /organizations/{org}/releases/',
  fetchRelease: 'GET /organizations/{org}/releases/{version}/',
  fetchProjectList: 'GET /organizations/{org}/projects/',
  fetchNewProject: 'GET /organizations/{org}/members/',
  fetchProjectPage: `GET ${project}settings/{page}/`,
  fetchOutcomes: 'GET /organizations/{org}/stats_v2/',
  fetchMonitorList: `GET ${monitors}`,
  fetchMonitor: `GET ${monitors}{monitor}/`,
  fetchMembers: 'GET /organizations/{org}/members/',
  fetchLogin: ownAccount,
  fetchSetup: ownAccount,
  fetchInvite: ownAccount,
  fetchPasswordLink: ownAccount,
  fetchUnsubscription: ownAccount,
  fetchAccountSettings: ownAccount,
  fetchApiTokens: ownAccount,
  fetchNotificationSettings: own,
  fetchDestinations: own,
  fetchStatusPage: own,
  fetchTunnel: own,
  fetchImport: own,
  fetchNewMonitor: own,
  fetchInbox: ownAccount,
  fetchLedger: 'explains what was sent; the rules and their effects have endpoints',
  fetchIssueAlerts: 'explains what was sent; the rules and their effects have endpoints',
  fetchTrace: 'GET /organizations/{org}/trace/{trace}/',
  fetchSpan: 'GET /organizations/{org}/trace/{trace}/',
  fetchPerformance: 'GET /organizations/{org}/events/',
  fetchTransaction: 'GET /organizations/{org}/events/',
  fetchSpanGroup: 'GET /organizations/{org}/events/',
  fetchShell: pageFrame,
  fetchPalette: pageFrame,
  fetchGuide: 'is text that is in the repository',
  fetchSystem: '/metrics has the same',
  fetchDeadLetters: 'the command line lists, retries and deletes them',
}

const known = new Set(apiRoutes.map(({ method, path }) => `${method} ${path}`))
const isMissing = (endpoint: string) => /^[A-Z]+ \//.test(endpoint) && !known.has(endpoint)

describe('a function of the console', () => {
  it('is available at an endpoint in Sentry’s format if there is one', () => {
    const names = new Set(listForms().map(({ page, action }) => `${page} ${action}`))
    expect(Object.keys(sentryShaped).filter((name) => !names.has(name))).toEqual([])
    expect(Object.values(sentryShaped).filter(isMissing)).toEqual([])
  })

  it('is otherwise available at the endpoint of forms, or excluded for a reason', () => {
    expect(known).toContain('POST /organizations/{org}/forms/')
    const pages = new Set(listForms().map((form) => form.page))
    expect(Object.keys(closedPages).filter((each) => !pages.has(each))).toEqual([])
    for (const reason of Object.values(closedPages)) expect(reason).toMatch(/^[A-Z].{20,}\.$/)
  })

  it('that reads data is available at an endpoint, or excluded for a reason', async () => {
    const names = [...listServerFunctions(await buildConsole())]
      .filter(([, { method }]) => method === 'GET')
      .map(([name]) => name)
    expect(Object.keys(screens).toSorted()).toEqual(names.toSorted())
    expect(Object.values(screens).filter(isMissing)).toEqual([])
  })
})
