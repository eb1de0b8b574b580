import { dayMs } from '#time/time-steps.ts'
import { startFakeUpstream, type FakeUpstream, type UpstreamBehaviour } from './fake-upstream.ts'

/** Answers of another tracker: JSON by path and query. */
export type TrackerPages = Record<string, unknown>

/** The token that the trackers accept. */
export const trackerToken = 'token-of-ada'

/** A tracker that answers with these pages; 401 for another token, 404 for everything else. */
export function startTracker(pages: TrackerPages): Promise<FakeUpstream> {
  return startFakeUpstream(answerPages(pages))
}

/** The behaviour of `startTracker`. `override` answers first, if it returns true. */
export function answerPages(
  pages: TrackerPages,
  override: (...exchange: Parameters<UpstreamBehaviour>) => boolean = () => false,
): UpstreamBehaviour {
  return (response, request) => {
    if (override(response, request)) return
    response.setHeader('content-type', 'application/json')
    const page = pages[request.url]
    if (request.headers.authorization !== `Bearer ${trackerToken}`) response.statusCode = 401
    else if (page === undefined) response.statusCode = 404
    if (response.statusCode !== 200) {
      response.end('{"detail":"no"}')
      return
    }
    const next = pages[`${request.url} next`]
    if (typeof next === 'string') {
      const host = request.headers.host ?? ''
      response.setHeader(
        'link',
        `<http://${host}/x>; rel="previous"; results="false"; cursor="0:0:1", <http://${host}${next}>; rel="next"; results="true"; cursor="0:1:0"`,
      )
    }
    response.end(JSON.stringify(page))
  }
}

const shopKey = '1111c3d4e5f60718293a4b5c6d7e8f90'
const secondShopKey = '1112c3d4e5f60718293a4b5c6d7e8f90'
const dayAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()

const ofSentry = '/api/0/organizations/acme'
const ofShop = '/api/0/projects/acme/shop'
const issuePage = `${ofSentry}/issues/?project=4711&query=&statsPeriod=90d&sort=new&limit=100`

/** An event as Sentry stores it: nearly what the SDK sent. */
function rawEvent(id: string, message: string, days: number) {
  return {
    event_id: id,
    timestamp: Date.parse(dayAgo(days)) / 1_000,
    platform: 'node',
    level: 'error',
    environment: 'production',
    release: 'shop@1.2.0',
    message,
  }
}

const paid = 'a'.repeat(32)
const early = 'b'.repeat(32)
const odd = 'c'.repeat(32)

/** Sentry with two pages of issues: one with two events, and one without any. */
export const sentryPages: TrackerPages = {
  '/api/0/organizations/': [{ id: '1', slug: 'acme', name: 'Acme' }],
  [`${ofSentry}/projects/`]: [{ id: '4711', slug: 'shop', name: 'Shop', platform: 'node' }],
  [`${ofSentry}/members/`]: [
    {
      id: '1',
      email: 'ada@acme.example',
      name: 'Ada',
      orgRole: 'owner',
      user: { id: '7', email: 'ada@acme.example' },
    },
  ],
  [`${ofSentry}/?detailed=0`]: {
    sensitiveFields: ['passport'],
    scrubIPAddresses: true,
    relayPiiConfig: '{"rules":{}}',
  },
  [`${ofShop}/`]: {
    allowedDomains: ['*'],
    dataScrubber: true,
    sensitiveFields: ['iban'],
    options: { 'filters:chunk-load-error': false, 'filters:react-hydration-errors': true },
  },
  [`${ofShop}/filters/`]: [
    { id: 'browser-extensions', active: false },
    { id: 'legacy-browsers', active: ['ie', 'safari'] },
    { id: 'localhost', active: false },
    { id: 'web-crawlers', active: true },
  ],
  [`${ofShop}/ownership/`]: { raw: '', autoAssignment: null },
  [`${ofShop}/keys/`]: [{ id: shopKey, public: shopKey, label: 'Default', isActive: true, rateLimit: null }],
  [`${ofShop}/keys/ next`]: `${ofShop}/keys/?cursor=0:100:0`,
  [`${ofShop}/keys/?cursor=0:100:0`]: [{ public: secondShopKey, label: 'Second page', isActive: true }],
  [`${ofShop}/rules/`]: [],
  [`${ofSentry}/releases/?project=4711&per_page=100`]: [
    { version: 'shop@1.2.0', dateCreated: dayAgo(20), dateReleased: dayAgo(19), ref: 'abc', url: null },
  ],
  [issuePage]: [
    {
      id: '900',
      shortId: 'SHOP-1A',
      title: 'Payment failed',
      permalink: 'https://acme.sentry.example/issues/900/',
      count: '1240',
      userCount: 12,
      status: 'resolved',
      firstSeen: dayAgo(60),
      lastSeen: dayAgo(1),
      assignedTo: { type: 'user', id: '7', email: 'ada@acme.example', name: 'Ada' },
      numComments: 1,
    },
  ],
  [`${issuePage} next`]: `${issuePage}&cursor=0:100:0`,
  [`${issuePage}&cursor=0:100:0`]: [
    {
      id: '901',
      shortId: 'SHOP-2',
      title: 'Expired',
      permalink: '',
      count: '3',
      status: 'unresolved',
      numComments: 0,
    },
    {
      id: '902',
      shortId: 'SHOP-3',
      title: 'Odd',
      permalink: '',
      count: '1',
      status: 'ignored',
      numComments: 0,
    },
  ],
  [`${ofSentry}/issues/900/events/?full=true&per_page=10`]: [
    { id: paid, eventID: paid, dateCreated: dayAgo(1), dateReceived: dayAgo(1) },
    { id: early, eventID: early, dateCreated: dayAgo(40), dateReceived: dayAgo(40) },
  ],
  [`${ofSentry}/issues/901/events/?full=true&per_page=10`]: [],
  // Older versions of Sentry have these paths only.
  '/api/0/issues/902/events/?full=true&per_page=10': [{ eventID: odd, dateCreated: dayAgo(2) }],
  [`${ofShop}/events/${paid}/json/`]: rawEvent(paid, 'Payment failed', 1),
  // Sentry's rules put it into the same issue; without them it is another one.
  [`${ofShop}/events/${early}/json/`]: rawEvent(early, 'Card declined', 40),
  [`${ofShop}/events/${odd}/json/`]: rawEvent(odd, 'Odd', 2),
  '/api/0/issues/900/comments/': [
    {
      id: '1',
      dateCreated: dayAgo(30),
      data: { text: 'The bank was down.' },
      user: { name: 'Bob', email: 'bob@acme.example' },
    },
  ],
}

const glitchKey = '2222c3d4-e5f6-0718-293a-4b5c6d7e8f90'

/** GlitchTip: its project has the id 1, its key dashes, and its events the shape of the API. */
export const glitchtipPages: TrackerPages = {
  '/api/0/organizations/': [{ id: 1, slug: 'acme' }],
  '/api/0/organizations/acme/projects/': [{ id: 1, slug: 'web', name: 'Web', platform: 'javascript' }],
  '/api/0/organizations/acme/members/': [],
  '/api/0/projects/acme/web/': {},
  '/api/0/projects/acme/web/keys/': [
    { id: glitchKey, name: null, dsn: { public: `https://${glitchKey}@glitchtip.example/1` } },
  ],
  '/api/0/organizations/acme/releases/?project=1&per_page=100': [],
  '/api/0/organizations/acme/issues/?project=1&query=&limit=50': [
    {
      id: '5',
      shortId: 'WEB-5',
      title: 'TypeError: x is null',
      count: 40,
      status: 'ignored',
      numComments: 0,
    },
  ],
  '/api/0/issues/5/events/?full=true&per_page=10': [
    {
      eventID: 'd'.repeat(32),
      dateCreated: dayAgo(3),
      dateReceived: dayAgo(3),
      platform: 'javascript',
      tags: [
        { key: 'environment', value: 'staging' },
        { key: 'browser', value: 'Firefox 120' },
      ],
      entries: [
        {
          type: 'exception',
          data: {
            values: [
              {
                type: 'TypeError',
                value: 'x is null',
                stacktrace: {
                  frames: [
                    {
                      filename: 'app.js',
                      absPath: 'https://web.example/app.js',
                      function: 'render',
                      lineNo: 12,
                      colNo: 4,
                      inApp: true,
                      context: [
                        [11, 'function render(x) {'],
                        [12, '  x.draw()'],
                        [13, '}'],
                      ],
                    },
                  ],
                },
              },
            ],
          },
        },
      ],
    },
  ],
}

const canonical = '/api/canonical/0'
const bugsinkIssue = '6f0a2a4e-0000-4000-8000-000000000001'
const bugsinkEvent = '6f0a2a4e-0000-4000-8000-00000000000e'

/** Bugsink: pages with `results`, and the whole event in `data`. */
export const bugsinkPages: TrackerPages = {
  [`${canonical}/projects/`]: {
    next: null,
    results: [
      {
        id: 77,
        slug: 'worker',
        name: 'Worker',
        dsn: 'https://3333c3d4e5f60718293a4b5c6d7e8f90@bugs.example/77',
      },
    ],
  },
  [`${canonical}/releases/?project=77`]: {
    next: null,
    results: [{ version: '3.0', date_released: dayAgo(9) }],
  },
  [`${canonical}/issues/?project=77`]: {
    next: null,
    results: [
      {
        id: bugsinkIssue,
        calculated_type: 'ValueError',
        calculated_value: 'bad row',
        digested_event_count: 70,
        first_seen: dayAgo(8),
        last_seen: dayAgo(1),
        is_resolved: false,
        is_muted: true,
      },
    ],
  },
  [`${canonical}/events/?issue=${bugsinkIssue}`]: { next: null, results: [{ id: bugsinkEvent }] },
  [`${canonical}/events/${bugsinkEvent}/`]: {
    id: bugsinkEvent,
    event_id: 'eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee',
    ingested_at: dayAgo(1),
    data: {
      event_id: 'e'.repeat(32),
      platform: 'python',
      timestamp: dayAgo(1),
      exception: { values: [{ type: 'ValueError', value: 'bad row' }] },
    },
  },
}

/** The event of the first issue in `hostileBugsinkPages`, which a test answers by itself. */
export const deepEventPath = `${canonical}/events/deep/`

/** Bugsink with more releases than can be imported, and an issue whose event no page has. */
export const hostileBugsinkPages: TrackerPages = {
  [`${canonical}/projects/`]: {
    results: [
      { id: 78, slug: 'deep', name: 'Deep', dsn: 'https://4444c3d4e5f60718293a4b5c6d7e8f90@bugs.example/78' },
    ],
  },
  // Without a version they are read and not stored.
  [`${canonical}/releases/?project=78`]: { results: Array.from({ length: 10_001 }, () => ({})) },
  [`${canonical}/issues/?project=78`]: {
    results: ['one', 'two'].map((id) => ({ id, calculated_type: 'Error', digested_event_count: 1 })),
  },
  [`${canonical}/events/?issue=one`]: { results: [{ id: 'deep' }] },
  [`${canonical}/events/?issue=two`]: { results: [{ id: 'plain' }] },
  [`${canonical}/events/plain/`]: {
    event_id: '5'.repeat(32),
    ingested_at: dayAgo(1),
    data: { event_id: '5'.repeat(32), platform: 'python', message: 'Plain' },
  },
}
