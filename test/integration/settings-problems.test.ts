import { afterAll, describe, expect, it } from 'vitest'
import { fixtureProject } from '#test/start-server.ts'
import { startTestConsole } from '#test/test-console.ts'
import { appConfig } from '../../app.config.ts'

const server = await startTestConsole()
afterAll(() => server.stop())

/** Posts a form of a settings page as a browser without scripts does. */
async function post(
  page: string,
  fields: Record<string, string> | Blob,
): Promise<{ status: number; html: string }> {
  const answer = await server.postTo('admin', `/projects/${fixtureProject.name}/${page}`, fields)
  return { status: answer.status, html: await answer.text() }
}

const stored = () => server.read('SELECT settings FROM projects WHERE id = 42')

describe('a form that is too large or incomplete', () => {
  it('is rejected as a whole, and stored data is not changed', async () => {
    const rules = 'path:src/* ada@example.com'
    expect(await post('ownership', { action: 'save', rules, codeowners: '' })).toMatchObject({ status: 303 })
    const before = stored()
    expect(before[0]).toContain(rules)
    const codeowners = `/src @ada\n`.repeat(appConfig.formBytes / 8)
    const { status, html } = await post('ownership', { action: 'save', rules, codeowners })
    expect([status, html]).toEqual([413, expect.stringContaining(appConfig.formTooLarge)])
    expect(stored()).toEqual(before)
    const cutOff = '--x\r\ncontent-disposition: form-data; name="action"\r\n\r\nsave'
    const incomplete = await post(
      'ownership',
      new Blob([cutOff], { type: 'multipart/form-data; boundary=x' }),
    )
    expect([incomplete.status, incomplete.html]).toEqual([400, expect.stringContaining('Not saved')])
    expect(stored()).toEqual(before)
  })
})

describe('the repository of the source links', () => {
  it.each([
    ['acme/shop', 'This is not an address.'],
    ['git@github.com:acme/shop.git', 'This is not an address.'],
    ['javascript:alert(1)', 'The address begins with javascript:'],
    ['https://me:secret@github.com/acme/shop', 'Remove the user and the password'],
    ['https://git.intern/acme/shop', 'Choose the code host'],
  ])('is rejected at its field if it is invalid: %s', async (repository, problem) => {
    const before = stored()
    const fields = { action: 'links', repository, host: '', branch: 'main', roots: '' }
    const { status, html } = await post('source-maps', fields)
    const field = problem.startsWith('Choose') ? 'host' : 'repository'
    const [, described = ''] = new RegExp(`<p[^>]* id="field-${field}-problem"[^>]*>([^<]*)`).exec(html) ?? []
    expect([status, described]).toEqual([422, expect.stringContaining(problem)])
    expect(stored()).toEqual(before)
  })

  it('is that of a URL that is entered as a path; another one is explained at its field', async () => {
    const fields = { action: 'links', repository: 'https://github.com/acme/shop', host: '', branch: 'main' }
    const roots = '/app/a.ts = https://github.com/acme/other/blob/main/a.ts'
    const { status, html } = await post('source-maps', { ...fields, roots })
    expect(status).toBe(422)
    expect(html).toMatch(/id="field-roots-problem"[^>]*>[^<]*it is not a file of https:\/\/github/)
  })
})

describe('alert rules', () => {
  const rule = {
    action: 'add',
    rule: '',
    name: 'Nights',
    transitions: 'new',
    threshold: '',
    crashFree: '',
    filters: '',
    receivers: 'members',
    people: '',
    throttleMs: '0',
    scope: 'project',
  }

  it.each([
    [{ from: '22:00', to: '07:00', zone: 'Europe/Atlantis' }, 'quietTimeZone', 'Unknown time zone.'],
    [{ from: '22:00', to: '07:00', zone: '' }, 'quietTimeZone', 'Unknown time zone.'],
    [{ from: '22:00', to: '', zone: 'UTC' }, 'quietTo', 'Enter a time as 22:00.'],
    [{ from: '', to: '', zone: 'UTC' }, 'quietFrom', 'Enter a time as 22:00.'],
  ])('with the quiet hours %j are explained at the field, in view', async (quiet, field, problem) => {
    const { status, html } = await post('alerts', {
      ...rule,
      quietFrom: quiet.from,
      quietTo: quiet.to,
      quietTimeZone: quiet.zone,
    })
    expect(status).toBe(422)
    const [, fields = ''] =
      /<details[^>]* open=""[^>]*>((?:(?!<\/details>).)*Quiet hours.*?)<\/details>/s.exec(html) ?? []
    expect(fields).toMatch(
      new RegExp(`<input(?=[^>]*name="${field}")[^>]*aria-invalid="true".*${problem}`, 's'),
    )
    expect(server.read(`SELECT id FROM alert_rules WHERE rule LIKE '%Nights%'`)).toEqual([])
  })
})
