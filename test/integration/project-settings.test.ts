import { afterAll, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { fixtureProject } from '#test/start-server.ts'
import { storedEventIds } from '#test/stored-events.ts'
import { startConsole } from '#test/test-console.ts'

const worker = { name: 'Mo Member', email: 'mo@example.com', password: 'a password for tests' }
const reader = { name: 'Rea Viewer', email: 'rea@example.com', password: 'a password for tests' }

const server = await startConsole()
await addUser(server.services.store)
await addUser(server.services.store, reader, 'viewer')
const owner = await cookieOf(server.origin)
const viewer = await cookieOf(server.origin, reader)
await addUser(server.services.store, worker, 'member')
const member = await cookieOf(server.origin, worker)
afterAll(() => server.stop())

const base = `/projects/${fixtureProject.name}`

function read(page: string, cookie = owner): Promise<Response> {
  return fetch(`${server.origin}${base}${page}`, { headers: { cookie, accept: 'text/html' } })
}

/** The fields of a form; a list if several have the same name. */
type FormFields = Record<string, string | string[]>

function toBody(fields: FormFields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
  )
}

/** Posts a form like a browser without scripts, and follows it to the resulting page. */
async function post(
  page: string,
  fields: FormFields,
  cookie = owner,
): Promise<{ status: number; html: string; url: string }> {
  const answer = await fetch(`${server.origin}${base}${page}`, {
    method: 'POST',
    redirect: 'manual',
    body: toBody(fields),
    headers: { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
  })
  if (answer.status !== 303) return { status: answer.status, html: await answer.text(), url: answer.url }
  const notice = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const next = await fetch(new URL(answer.headers.get('location') ?? '', server.origin), {
    headers: { cookie: `${cookie}; ${notice}`, accept: 'text/html' },
  })
  return { status: next.status, html: await next.text(), url: next.url }
}

function send(
  body: string,
  { key = fixtureProject.publicKey, headers }: { key?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  return postEnvelope(server.origin, body, { project: { id: fixtureProject.id, publicKey: key }, headers })
}

const rows = (sql: string) => server.services.store.connection.prepare(sql).all()

describe('the pages of a project', () => {
  it('are read-only for members, and reject their changes', async () => {
    const html = await (await read('/inbound', member)).text()
    expect(html).toContain('You can read these settings')
    expect(html).toMatch(/<fieldset disabled/)
    expect(await (await read('/source-maps', member)).text()).toContain('You can read these settings')
    const answer = await post('', { action: 'save', name: 'Mine', slug: 'mine', platform: '' }, viewer)
    expect(answer.status).toBe(403)
    expect(rows(`SELECT name FROM projects WHERE id = ${fixtureProject.id}`)).toEqual([
      { name: fixtureProject.name },
    ])
  })

  it('ask before a member loses access', async () => {
    const grace = { name: 'Grace Guest', email: 'grace@example.com', password: 'a password for tests' }
    const user = await addUser(server.services.store, grace, 'viewer')
    server.services.store.connection
      .prepare('UPDATE memberships SET has_all_projects = 0 WHERE user_id = ?')
      .run(user)
    await post('/members', { action: 'add', user })
    const html = await (await read('/members')).text()
    const details = /<details class="confirmed-form">(.*?)<\/details>/s.exec(html)?.[1] ?? ''
    expect(details).toContain('aria-label="Remove Grace Guest"')
    expect(details).toContain(`Grace Guest loses access to ${fixtureProject.name}`)
    await post('/members', { action: 'remove', user })
    expect(await (await read('/members')).text()).not.toContain('Remove Grace Guest')
  })

  it('keep the entered values and show the errors until all are valid', async () => {
    const { status, html } = await post('', {
      action: 'save',
      name: 'Shop & Co',
      slug: 'No Slug',
      platform: 'node',
    })
    expect(status).toBe(422)
    expect(html).toContain('value="Shop &amp; Co"')
    expect(html).toContain('value="No Slug"')
    expect(html).toContain('Use lower-case letters a to z')
    expect((await post('', { action: 'save', name: 'x', slug: 'other', platform: '' })).html).toContain(
      'Another project has the slug other',
    )
    const saved = await post('', {
      action: 'save',
      name: fixtureProject.name,
      slug: fixtureProject.name,
      platform: 'node',
    })
    expect(saved.status).toBe(200)
    expect(saved.html).toContain('Name saved.')
  })
})

/** The fields of one row of a list of limits. */
function limitRow(name: string, [category, quantity, seconds]: [string, string, string]): FormFields {
  return { [`${name}-category`]: category, [`${name}-quantity`]: quantity, [`${name}-seconds`]: seconds }
}

function keys() {
  return rows(`SELECT public_key, label, is_active FROM project_keys WHERE project_id = ${fixtureProject.id}`)
}

const sendFrom = (origin: string) => send(errorEnvelope(), { headers: { origin } })

describe('keys', () => {
  it('are added, limited, disabled and rotated, and ingest applies it at once', async () => {
    await post('/keys', { action: 'add', label: 'Backend' })
    const key = String(keys().find(({ label }) => label === 'Backend')?.['public_key'])
    expect((await send(errorEnvelope(), { key })).status).toBe(200)
    const limited = { action: 'save', key, label: 'Backend', ...limitRow('limits', ['error', '0', '60']) }
    const wrong = await post('/keys', { ...limited, ...limitRow('limits', ['error', 'few', '60']) })
    expect(wrong.html).toContain('&quot;few&quot; is not a number')
    expect(wrong.html).toContain('value="few"')
    await post('/keys', limited)
    expect((await send(errorEnvelope(), { key })).status).toBe(429)
    expect((await post('/keys', { action: 'rotate', key })).html).toContain('New key “Backend (2)” added')
    await post('/keys', { action: 'switch', key, active: 'false' })
    expect((await send(errorEnvelope(), { key })).status).toBe(403)
  })

  it('that are rotated have names of their own', async () => {
    const long = 'x'.repeat(limits.projectNameCharacters)
    const keyOf = (name: string) => String(keys().find(({ label }) => label === name)?.['public_key'])
    for (const label of ['Web', long]) await post('/keys', { action: 'add', label })
    for (const name of ['Web', 'Web', 'Web (2)', long, long])
      await post('/keys', { action: 'rotate', key: keyOf(name) })
    const names = keys().map(({ label }) => String(label))
    expect(names.filter((name) => /^(?:Web|x)/.test(name)).toSorted()).toEqual([
      'Web',
      'Web (2)',
      'Web (3)',
      'Web (4)',
      `${long.slice(4)} (2)`,
      `${long.slice(4)} (3)`,
      long,
    ])
  })

  it('that are all disabled are named on the setup page', async () => {
    const active = keys().flatMap((row) => (row['is_active'] === 1 ? String(row['public_key']) : []))
    for (const key of active) await post('/keys', { action: 'switch', key, active: 'false' })
    const text = (await (await read('/setup')).text()).replaceAll(/<[^>]+>/g, '')
    expect(text).toContain('No key is active. Enable or add a key to see its DSN.')
    for (const key of active) await post('/keys', { action: 'switch', key, active: 'true' })
  })
})

describe('filters and origins', () => {
  const filtersOff = { action: 'filters' }

  it('drop the configured events, and count them by filter', async () => {
    const message = `gone-${randomEventId()}`
    const all = { ...filtersOff, filters: ['error-message'], errorMessages: `*${message}*\r\n\r\n*never*` }
    expect((await post('/inbound', all)).status).toBe(200)
    const eventId = randomEventId()
    expect((await send(errorEnvelope({ eventId, value: message }))).status).toBe(200)
    expect(rows(`SELECT reason FROM outcome_hours WHERE outcome = 'filtered'`)).toEqual([
      { reason: 'error-message' },
    ])
    expect(await (await read('/inbound')).text()).toMatch(/dropped/)
    // The pattern is kept while the filter is off.
    await post('/inbound', { ...filtersOff, errorMessages: `*${message}*` })
    await send(errorEnvelope({ eventId, value: message }))
    expect(await storedEventIds(server.services.store, fixtureProject.id)).toContain(eventId)
  })

  it('reject invalid input, and name the line', async () => {
    const { status, html } = await post('/inbound', {
      ...filtersOff,
      clientAddresses: '203.0.113.7\nnowhere',
    })
    expect(status).toBe(422)
    expect(html).toContain('Line 2, &quot;nowhere&quot;: write an address or a block')
  })

  it('list the allowed pages', async () => {
    await post('/inbound', { action: 'origins', origins: '*.shop.example' })
    expect((await sendFrom('https://www.shop.example')).status).toBe(200)
    expect((await sendFrom('https://elsewhere.example')).status).toBe(403)
    await post('/inbound', { action: 'origins', origins: '*' })
    expect((await sendFrom('https://elsewhere.example')).status).toBe(200)
  })
})

describe('grouping rules', () => {
  it('are rejected with line and column', async () => {
    const { status, html } = await post('/grouping', {
      action: 'save',
      stackTraceRules: 'function:a -app\r\nfunction:b -ap',
      fingerprintRules: '',
    })
    expect(status).toBe(422)
    expect(html).toContain('Line 2, column 12:')
    expect(html).toContain('function:b -ap')
  })

  it('are tested on a stored event, and the result is not stored', async () => {
    const eventId = randomEventId()
    await send(errorEnvelope({ eventId, type: 'TriedError' }))
    const { status, html } = await post('/grouping', {
      action: 'try',
      event: eventId.slice(0, 12),
      stackTraceRules: 'function:Tried* -app',
      fingerprintRules: '# none\ntype:TriedError -> tried, {{ type }}',
    })
    expect(status).toBe(200)
    expect(html).toContain('[&quot;tried&quot;,&quot;TriedError&quot;]')
    expect(html).toContain('type:TriedError -&gt; tried')
    expect(html).toMatch(/no<!-- --> \(was yes\)|no \(was yes\)|no<!-- --> (<!-- -->)?\(was/)
    expect(await (await read('/grouping')).text()).not.toContain('type:TriedError')
  })

  it('decide which frames are in-app, also of stored events', async () => {
    const eventId = randomEventId()
    await send(errorEnvelope({ eventId, type: 'MarkedError' }))
    const page = async () => {
      const answer = await fetch(`${server.origin}/events/${eventId}`, { headers: { cookie: owner } })
      return answer.text()
    }
    expect(await page()).toContain('data-in-app="true"')
    await post('/grouping', { action: 'save', stackTraceRules: 'function:* -app', fingerprintRules: '' })
    expect(await page()).not.toContain('data-in-app="true"')
    await post('/grouping', { action: 'save', stackTraceRules: '', fingerprintRules: '' })
    expect(await page()).toContain('data-in-app="true"')
  })

  it('apply to later events', async () => {
    await post('/grouping', {
      action: 'save',
      stackTraceRules: '',
      fingerprintRules: 'type:Joined* -> joined title="All of them: {{ type }}"',
    })
    await send(errorEnvelope({ type: 'JoinedOne' }))
    await send(errorEnvelope({ type: 'JoinedTwo' }))
    const joined = rows(`SELECT title, event_count FROM issues WHERE title LIKE 'All of them%'`)
    expect(joined).toEqual([{ title: 'All of them: JoinedTwo', event_count: 2 }])
    await post('/grouping', { action: 'save', stackTraceRules: '', fingerprintRules: '' })
  })
})

describe('scrubbing', () => {
  it('is tested on a stored event, and scrubs later events as configured', async () => {
    const eventId = randomEventId()
    await send(errorEnvelope({ eventId, type: 'ScrubError', value: 'mail bob@example.com' }))
    const fields = { action: 'try', isOn: 'on', rules: ['email'], ipAddresses: 'keep', event: eventId }
    const tried = await post('/scrubbing', fields)
    expect(tried.html).toContain('mail [email]')
    expect(tried.html).toContain('exception.values.0.value')
    const saved = await post('/scrubbing', { ...fields, action: 'save', fields: 'shoe_size' })
    expect(saved.html).toContain('Scrubbing saved.')
    expect(saved.html).toContain('Inactive')
    const on = await post('/scrubbing', {
      ...fields,
      action: 'save',
      rules: ['email', 'fields'],
      fields: 'shoe_size',
    })
    expect(on.html).not.toContain('Inactive')
    await send(errorEnvelope({ type: 'ScrubbedError', value: 'mail bob@example.com' }))
    expect(rows(`SELECT subtitle FROM issues WHERE title = 'ScrubbedError'`)).toEqual([
      { subtitle: 'mail [email]' },
    ])
  })

  it('names the invalid line', async () => {
    const { status, html } = await post('/scrubbing', { action: 'save', fields: 'ok\n---' })
    expect(status).toBe(422)
    expect(html).toContain('Line 2, &quot;---&quot;: write a name')
  })
})

describe('limits and retention', () => {
  it('apply at once, and can be reset to their defaults', async () => {
    const form = { action: 'limits', addressLimits: 'default' }
    await post('/limits', { ...form, ...limitRow('project', ['error', '0', '60']) })
    expect((await send(errorEnvelope())).status).toBe(429)
    const wrong = await post('/limits', { ...form, ...limitRow('project', ['error', '5 apples', '60']) })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('&quot;5 apples&quot; is not a number: enter 100, 1,000 or 50M')
    await post('/limits', { ...form, ...limitRow('project', ['error', '', '60']) })
    expect(
      rows(`SELECT settings FROM projects WHERE id = ${fixtureProject.id}`)[0]?.['settings'],
    ).not.toContain('rateLimits')
  })

  it('reject invalid values, field by field', async () => {
    const { status, html } = await post('/limits', { action: 'retention', days: '100000', events: 'many' })
    expect(status).toBe(422)
    expect(html).toContain('Enter at most 3,650.')
    expect(html).toContain('Enter a whole number of at least 1.')
    expect(html).toContain('value="many"')
  })
})

/** The hidden mark of a form: the version of the settings that it shows. */
async function markIn(page: string, action: string): Promise<string> {
  const html = await (await read(page)).text()
  const form = html.split('<form').find((each) => each.includes(`value="${action}"`)) ?? ''
  return /name="mark" value="([0-9a-f]{16})"/.exec(form)?.[1] ?? ''
}

const settingsOf = () =>
  rows(`SELECT name, slug, platform, settings FROM projects WHERE id = ${fixtureProject.id}`)

const keyLimit = (quantity: string): FormFields => ({
  addressLimits: 'default',
  ...limitRow('key', ['error', quantity, '1']),
})

describe('a form that another user has submitted meanwhile', () => {
  const naming = { name: fixtureProject.name, slug: fixtureProject.name }
  const guard = { isOn: 'on', fullEvents: '100', windowSeconds: '3600', sampleEvery: '10' }
  const traces = { mode: 'off', megabytes: '100', apdexMs: '300' }
  const problems = {
    nPlusOneQueryCount: '5',
    nPlusOneQueryMs: '50',
    slowQueryMs: '500',
    nPlusOneRequestCount: '5',
    nPlusOneRequestMs: '300',
  }
  it.each<[string, string, FormFields, FormFields]>([
    ['', 'save', { ...naming, platform: 'python' }, { ...naming, platform: 'go' }],
    ['/inbound', 'filters', { ignoreErrors: 'theirs' }, { ignoreErrors: 'mine' }],
    ['/inbound', 'origins', { origins: 'theirs.example' }, { origins: 'mine.example' }],
    ['/scrubbing', 'save', { isOn: 'on', fields: 'theirs' }, { isOn: 'on', fields: 'mine' }],
    ['/grouping', 'save', { fingerprintRules: 'type:A -> a' }, { fingerprintRules: 'type:B -> b' }],
    ['/limits', 'limits', keyLimit('7'), keyLimit('8')],
    ['/limits', 'spike-protection', { ...guard, sampleEvery: '7' }, { ...guard, sampleEvery: '8' }],
    ['/limits', 'retention', { days: '7', events: '70' }, { days: '8', events: '80' }],
    ['/limits', 'traces', { ...traces, megabytes: '7' }, { ...traces, megabytes: '8' }],
    ['/limits', 'traces', { ...traces, apdexMs: '7' }, { ...traces, apdexMs: '8' }],
    [
      '/limits',
      'performance-issues',
      { ...problems, slowQueryMs: '70' },
      { ...problems, nPlusOneQueries: 'on' },
    ],
  ])('overwrites nothing, and names the conflict: %s %s', async (...[page, action, theirs, mine]) => {
    const mark = await markIn(page, action)
    expect(mark).not.toBe('')
    await post(page, { action, mark, ...theirs })
    const before = settingsOf()
    const answer = await post(page, { action, mark, ...mine })
    expect(answer.status).toBe(409)
    expect(answer.html).toContain('someone else changed this after you opened the page')
    expect(settingsOf()).toEqual(before)
    // The entered values are in the form, and are saved if it is submitted again.
    const again = /name="mark" value="([0-9a-f]{16})"/.exec(
      answer.html.split('<form').find((each) => each.includes(`value="${action}"`)) ?? '',
    )?.[1]
    expect((await post(page, { action, mark: again ?? '', ...mine })).status).toBe(200)
    expect(settingsOf()).not.toEqual(before)
  })

  it('is detected for a key, too', async () => {
    const [key] = keys()
    const form = { action: 'save', key: String(key?.['public_key']), mark: '0'.repeat(16) }
    const answer = await post('/keys', { ...form, label: 'Mine' })
    expect(answer.status).toBe(409)
    expect(keys()).toContainEqual(key)
  })
})
