import { afterAll, describe, expect, it } from 'vitest'
import { fixtureProject } from '#test/start-server.ts'
import { startTestConsole, type TestPerson } from '#test/test-console.ts'

const server = await startTestConsole()
afterAll(() => server.stop())

const danger = `/projects/${fixtureProject.name}/danger`

function create(fields: Record<string, string>, person: TestPerson = 'admin'): Promise<Response> {
  return server.postTo(person, '/projects/new', { action: 'create', ...fields })
}

describe('a disabled project', () => {
  it('rejects all requests until it is enabled', async () => {
    await server.postTo('admin', danger, { action: 'switch', isOn: 'false' })
    await expect(server.send({ message: 'rejected' })).rejects.toThrow('was answered 403')
    await server.postTo('admin', danger, { action: 'switch', isOn: 'true' })
    await expect
      .poll(() =>
        server.send({ message: 'taken' }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  })
})

describe('a new project', () => {
  it('is created by users who can configure projects, with a unique slug', async () => {
    expect((await create({ name: 'Mine', slug: '', platform: '' }, 'viewer')).status).toBe(403)
    const taken = await create({ name: 'Another', slug: 'other', platform: '' })
    expect(taken.status).toBe(422)
    expect(await taken.text()).toContain('Another project has the slug other')
    const made = await create({ name: 'Web Shop!', slug: '', platform: 'node' })
    const setup = '/projects/web-shop/setup'
    expect(made.headers.get('location')).toBe(setup)
    expect(await (await server.open('admin', setup)).text()).toContain('Waiting for the first event')
  })

  it('gets its first event by the button, through the endpoint of every SDK', async () => {
    const sent = await server.postTo('admin', '/projects/web-shop/setup', { action: 'test' })
    const html = await sent.text()
    const [, eventId = ''] = /href="\/events\/([0-9a-f]{32})"/.exec(html) ?? []
    expect((await server.open('admin', `/events/${eventId}`)).status).toBe(200)
    expect(html).toContain('Receiving events.')
    expect(server.read(`SELECT title, event_count FROM issues WHERE title = 'TestEvent'`)).toEqual([
      'TestEvent 1',
    ])
  })
})

describe('a deleted project', () => {
  it('is deleted with all its data after its slug was entered', async () => {
    const { retention } = server.services
    const rejected = await server.postTo('admin', danger, { action: 'delete', confirmation: 'something' })
    expect(rejected.status).toBe(422)
    expect(await rejected.text()).toContain(`Type “${fixtureProject.name}”`)
    const { engine } = server.services.store
    const tables = engine
      .listTableKeys()
      .map(({ table }) => table)
      .filter((table) => engine.listColumns(table).includes('project_id'))
    const filled = () =>
      tables.filter(
        (table) => server.read(`SELECT 1 FROM ${table} WHERE project_id = ${fixtureProject.id}`).length > 0,
      )
    expect(filled()).toEqual(expect.arrayContaining(['events', 'body_blocks', 'issues', 'project_keys']))
    await server.postTo('admin', danger, { action: 'delete', confirmation: fixtureProject.name })
    expect((await server.open('admin', `/projects/${fixtureProject.name}`)).status).toBe(404)
    await expect(server.send({ message: 'too late' })).rejects.toThrow('was answered 403')
    // Counts of rejected requests are written shortly after, and found by the next run.
    await expect
      .poll(
        async () => {
          await retention.check()
          return filled()
        },
        { timeout: 10_000, interval: 500 },
      )
      .toEqual([])
  })
})
