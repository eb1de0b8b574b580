import { chmod } from 'node:fs/promises'
import { createServer, request as sendRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { listen } from '#server/http/listen.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { sealLinearSecret, sealTrackerToken } from '#server/trackers/tracker-secrets.ts'
import { onPostgres } from '#test/engine.ts'
import { textWith } from '#test/matchers.ts'
import { runCommand } from '#test/run-command.ts'
import { startSmtpReceiver, type SmtpReceiver } from '#test/smtp-receiver.ts'
import { fixtureProject, startServer, variablesOf } from '#test/start-server.ts'
import { dayMs } from '#time/time-steps.ts'
import { destinationAdd } from '../../bin/commands/destinations/add.ts'
import { doctor } from '../../bin/commands/doctor/doctor.ts'
import { readVersion } from '../../bin/commands/version.ts'

const Report = v.object({
  problemCount: v.number(),
  checks: v.array(
    v.object({ name: v.string(), status: v.string(), text: v.string(), remedy: v.optional(v.string()) }),
  ),
})

const secret = 'a secret of at least thirty-two characters'
const server = await startServer({
  variables: { CULVERT_SECRET: secret, CULVERT_ORIGIN: 'http://culvert.test' },
})
await server.services.heartbeat.start('1.2.3')
afterAll(() => server.stop())

async function examine(variables: Record<string, string> = {}) {
  const own = { CULVERT_SECRET: secret, CULVERT_ORIGIN: server.origin, SENTRY_RELEASE: '1.2.3' }
  const { code, stdout } = await runCommand(doctor, ['--json'], {
    ...variablesOf(server),
    ...own,
    ...variables,
  })
  const { checks, problemCount } = v.parse(v.pipe(v.string(), v.parseJson(), Report), stdout)
  return { code, problemCount, find: (name: string) => checks.filter((check) => check.name === name) }
}

describe('culvert doctor', () => {
  it('finds no problem of a running server, lists each check and exits with 0', async () => {
    const { code, problemCount, find } = await examine()
    expect([code, problemCount]).toEqual([0, 0])
    for (const name of ['Node.js', 'Database', 'Schema', 'Version', 'Secret', 'Base URL', 'Clock'])
      expect([name, find(name).map(({ status }) => status)]).toEqual([name, ['ok']])
    expect(find(onPostgres ? 'Privileges' : 'Data directory')).toMatchObject([{ status: 'ok' }])
    expect(find('Mail')).toMatchObject([{ status: 'warning', remedy: textWith('CULVERT_SMTP_URL') }])
    expect(find('Destinations')).toMatchObject([{ status: 'ok' }])
    const text = `${readVersion(process.cwd())} (1.2.3), 1 running`
    expect(find('Version')).toMatchObject([{ text }])
  })

  it('prints the same as text, each problem also on standard error', async () => {
    const broken = { CULVERT_ORIGIN: 'http://127.0.0.1:1' }
    const printed = await runCommand(doctor, [], {
      ...variablesOf(server),
      CULVERT_SECRET: secret,
      ...broken,
    })
    expect(printed.code).toBe(1)
    expect(printed.stdout).toMatch(
      /^problem {2}Base URL {9}http:\/\/127\.0\.0\.1:1 is unreachable: .+\n {26}Check DNS/m,
    )
    expect(printed.stderr).toContain('PROBLEM  http://127.0.0.1:1 is unreachable')
  })

  it('names settings that do not exist', async () => {
    expect((await examine()).find('Settings')).toEqual([])
    const { code, find } = await examine({ CULVERT_SMPT_URL: 'smtp://mail.example.com' })
    expect(code).toBe(0)
    expect(find('Settings')).toMatchObject([{ status: 'warning', text: textWith('CULVERT_SMPT_URL') }])
  })

  it('names the version of a server that was not restarted after an upgrade', async () => {
    const { code, find } = await examine({ SENTRY_RELEASE: '1.3.0' })
    expect(code).toBe(0)
    expect(find('Version')).toMatchObject([
      { status: 'warning', text: textWith('(1.3.0), running are 1.2.3') },
    ])
  })

  it('recognizes that the address leads to another installation', async () => {
    const { code, find } = await examine({ CULVERT_SECRET: 'another secret of thirty-two characters' })
    expect(code).toBe(1)
    expect(find('Base URL')).toMatchObject([{ text: textWith('is not this installation') }])
  })

  it('follows no redirect, and reports what answers instead', async () => {
    await withFront(
      (headers) => ({ status: 308, headers: { ...headers, location: server.origin } }),
      async (origin) => {
        expect((await examine({ CULVERT_ORIGIN: origin })).find('Base URL')).toMatchObject([
          { status: 'problem', text: `${origin} returned 308` },
        ])
      },
    )
  })

  it('finds a proxy that changes the host, and one that passes it', async () => {
    await withProxy(
      (headers) => ({ ...headers, host: 'backend:3000' }),
      async (origin) => {
        const { code, find } = await examine({ CULVERT_ORIGIN: origin })
        expect(code).toBe(1)
        expect(find('Same origin')).toMatchObject([
          { status: 'problem', text: textWith('"backend:3000"'), remedy: textWith('proxy_set_header Host') },
        ])
      },
    )
    await withProxy(
      (headers) => ({ ...headers, host: '127.0.0.1' }),
      async (origin) => {
        const { find } = await examine({ CULVERT_ORIGIN: origin })
        expect(find('Same origin')).toMatchObject([{ remedy: textWith('proxy_set_header Host $http_host') }])
      },
    )
    await withProxy(
      (headers) => ({ ...headers, 'x-forwarded-for': '203.0.113.9' }),
      async (origin) => {
        const { find } = await examine({ CULVERT_ORIGIN: origin })
        expect(find('Same origin')).toMatchObject([{ status: 'ok' }])
        expect(find('Proxy headers')).toMatchObject([{ status: 'ok' }])
      },
    )
  })

  it('connects to the mail server and signs in', async () => {
    const mail: SmtpReceiver = await startSmtpReceiver()
    const address = (password: string) => ({
      CULVERT_SMTP_URL: `smtp://ada:${password}@127.0.0.1:${mail.port}?tls=optional`,
      CULVERT_MAIL_FROM: 'culvert@example.com',
    })
    expect((await examine(address('right'))).find('Mail')).toMatchObject([{ status: 'ok' }])
    const wrong = await examine(address('wrong'))
    expect(wrong.code).toBe(1)
    expect(wrong.find('Mail')).toMatchObject([{ status: 'problem', text: textWith('authentication failed') }])
    await mail.close()
  })

  it('names secrets of issue trackers that were encrypted with another secret', async () => {
    const { store } = server.services
    const { id, name } = fixtureProject
    const keeper = { store, secret }
    const sealedToken = await sealTrackerToken(keeper, id, 'token')
    const sealedWebhookSecret = await sealLinearSecret(keeper, id, 'secret')
    await updateProjectSettings(store, id, ({ issueTracker }) => ({
      issueTracker: { ...issueTracker, sealedToken, sealedWebhookSecret },
    }))
    expect((await examine()).find('Issue trackers')).toMatchObject([{ status: 'ok' }])
    const { code, find } = await examine({ CULVERT_SECRET: 'another secret of thirty-two characters' })
    expect(code).toBe(1)
    const text = textWith(`(${process.pid}), has another secret than this command`)
    expect(find('Secret')).toMatchObject([{ status: 'problem', text }])
    expect(find('Issue trackers')).toMatchObject([
      { status: 'problem', text: `the token of project ${name} was encrypted with another secret` },
      {
        status: 'problem',
        text: `the secret of Linear of project ${name} was encrypted with another secret`,
      },
    ])
    await updateProjectSettings(store, id, ({ issueTracker }) => ({
      issueTracker: { ...issueTracker, sealedToken: '', sealedWebhookSecret: '' },
    }))
  })

  it('names destinations that fail, and broken uploads of source maps', async () => {
    const { writer } = server.services.store
    const destination = ['webhook', 'ops', 'url=https://hooks.example.com/']
    const variables = { ...variablesOf(server), CULVERT_SECRET: secret }
    expect(await runCommand(destinationAdd, destination, variables)).toMatchObject({ code: 0 })
    await writer.updateTable('alert_destinations').set({ failing_since: 0 }).execute()
    const at = Date.now() - dayMs
    await writer
      .insertInto('artifact_bundles')
      .values({
        project_id: 42,
        id: 1,
        checksum: Buffer.alloc(20),
        release: '',
        dist: '',
        uploaded_at: at,
        used_at: at,
        is_complete: 0,
        file_count: 0,
        stored_bytes: 0,
      })
      .execute()
    const { code, find } = await examine()
    expect(code).toBe(1)
    expect(find('Destinations')).toMatchObject([
      { status: 'problem', text: 'ops has failed since 1970-01-01T00:00:00.000Z' },
    ])
    expect(find('Source maps')).toMatchObject([{ status: 'warning' }])
    await writer.deleteFrom('artifact_bundles').execute()
    await writer.deleteFrom('alert_destinations').execute()
  })
})

describe.skipIf(onPostgres)('culvert doctor on a data directory', () => {
  it('warns when other accounts may read the database', async () => {
    const file = join(server.services.env.dataDir, 'culvert.db')
    await chmod(file, 0o644)
    expect((await examine()).find('Data directory')).toMatchObject([
      { status: 'warning', remedy: `Run: chmod 600 ${file}` },
    ])
    await chmod(file, 0o600)
  })
})

describe('culvert doctor with DATABASE_URL', () => {
  it('explains why a database cannot be reached', async () => {
    const { code, find } = await examine({ DATABASE_URL: 'postgres://culvert@127.0.0.1:1/culvert' })
    expect(code).toBe(1)
    expect(find('Database')).toMatchObject([
      { status: 'problem', text: textWith('Check the host and the port in DATABASE_URL') },
    ])
  })
})

type Answer = { status: number; headers?: IncomingHttpHeaders }

async function withFront(
  answer: (headers: IncomingHttpHeaders) => Answer,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  await withServer(
    createServer((_, response) => {
      const { status, headers } = answer({})
      response.writeHead(status, headers).end()
    }),
    work,
  )
}

/** A proxy in front of the server that passes changed headers. */
async function withProxy(
  change: (headers: IncomingHttpHeaders) => IncomingHttpHeaders,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const front = createServer((request, response) => {
    const target = new URL(request.url ?? '/', server.origin)
    sendRequest(target, { headers: change(request.headers) }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    }).end()
  })
  await withServer(front, work)
}

async function withServer(front: Server, work: (origin: string) => Promise<void>): Promise<void> {
  try {
    await work(await listen(front, { host: '127.0.0.1', port: 0 }))
  } finally {
    front.close()
    front.closeAllConnections()
  }
}
