import { fixtureProject } from './start-server.ts'
import { startTestConsole, type TestConsole, type TestPerson } from './test-console.ts'
import { startTrackerService, type TrackerService } from './tracker-service.ts'

const settingsPath = `/projects/${fixtureProject.name}/source-maps`

/** A console next to a service that stands for the trackers, which it may connect to. */
export interface TrackerConsole {
  server: TestConsole
  service: TrackerService
  /** Where the settings of the tracker are. */
  settingsPath: string
  /** Saves the settings of the tracker. Returns the status, and the page if it was not a redirect. */
  save: (fields: Record<string, string>, person?: TestPerson) => Promise<string>
  /** Sends one issue with that title. Returns its id. */
  send: (title: string) => Promise<string>
  page: (id: string, person?: TestPerson) => Promise<string>
  /** Creates an issue of the tracker by its token. */
  create: (id: string) => Promise<Response>
  /** The names of links with 1 for a closed issue, the oldest first. */
  links: () => string[]
  readWebhook: () => Promise<{ url: string; secret: string }>
  stop: () => Promise<void>
}

/** Starts both. */
export async function startTrackerConsole(): Promise<TrackerConsole> {
  const service = await startTrackerService()
  const { host } = new URL(service.origin)
  const server = await startTestConsole({ CULVERT_ALLOW_PRIVATE_DESTINATIONS: host })
  return {
    server,
    service,
    settingsPath,
    async save(fields, person = 'admin') {
      const all = {
        action: 'tracker',
        kind: 'none',
        url: '',
        jiraProject: '',
        jiraType: '',
        jiraEmail: '',
        token: '',
        webhookSecret: '',
        ...fields,
      }
      const answer = await server.postTo(person, settingsPath, all)
      return `${answer.status} ${answer.status === 303 ? '' : await answer.text()}`
    },
    async send(title) {
      await server.send({ message: title, fingerprint: [title] })
      return server.read('SELECT id FROM issues ORDER BY number DESC LIMIT 1')[0] ?? ''
    },
    page: async (id, person = 'member') => (await server.open(person, `/issues/${id}`)).text(),
    create: (id) => server.post('member', 'issueLink', { issueId: id, does: 'create', url: '' }),
    links: () => server.read('SELECT name, is_closed FROM issue_links ORDER BY created_at, name'),
    async readWebhook() {
      const html = await (await server.open('admin', settingsPath)).text()
      const [url = ''] = /http[^"<]*\/api\/hooks\/issues\/42/.exec(html) ?? []
      const [, secret = ''] = /\b([0-9a-f]{48})\b/.exec(html) ?? []
      return { url, secret }
    },
    async stop() {
      await server.stop()
      await service.stop()
    },
  }
}
