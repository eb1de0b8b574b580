import { defaultStackParser, makeNodeTransport, NodeClient } from '@sentry/node'
import { listKeyRows } from '#server/store/projects/key-changes.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import type { importSentry } from '../../bin/commands/imports/import-command.ts'
import { runCommand } from './run-command.ts'
import { startServer } from './start-server.ts'
import { startTracker, trackerToken } from './trackers.ts'

/** Starts a server, and a tracker that it can import from. */
export async function startImportingServer() {
  const server = await startServer()
  const tracker = await startTracker({})
  const { store, env, projectKeys } = server.services
  const { db } = store
  return {
    server,
    tracker,
    url: () => `http://${tracker.address}`,

    /** Runs a command on the installation of the server. */
    run: (command: typeof importSentry, args: string[], token = trackerToken) =>
      runCommand(command, args, {
        CULVERT_DATA_DIR: env.dataDir,
        CULVERT_IMPORT_TOKEN: token,
        ...(env.databaseUrl !== undefined && { DATABASE_URL: env.databaseUrl }),
      }),

    /** Everything that an import could change, as text. */
    readState: async () => {
      const issues = await db.selectFrom('issues').selectAll().orderBy('id').execute()
      const users = await db.selectFrom('users').select('email').orderBy('email').execute()
      const rules = await db.selectFrom('alert_rules').select('rule').orderBy('id').execute()
      const activity = await db.selectFrom('issue_activity').select('detail').orderBy('id').execute()
      const [projects, keys] = [await listProjectNames(db), await listKeyRows(db)]
      return JSON.stringify([projects, keys, issues, users, rules, activity])
    },

    /** Sends a message with a real SDK to the server. Throws if it is not accepted. */
    sendWithSdk: async (projectId: number, key: string, message: string) => {
      await projectKeys.refresh()
      const client = new NodeClient({
        dsn: `http://${key}@${new URL(server.origin).host}/${projectId}`,
        transport: makeNodeTransport,
        stackParser: defaultStackParser,
        integrations: [],
      })
      client.captureMessage(message, 'error')
      if (!(await client.flush(5_000))) throw new Error('the message was not sent')
      await client.close()
    },

    findIssues: (projectId: number) =>
      db
        .selectFrom('issues')
        .select(['number', 'title', 'status', 'event_count', 'assignee_id', 'first_seen_at'])
        .where('project_id', '=', projectId)
        .orderBy('number')
        .execute(),

    stop: async () => {
      await server.stop()
      await tracker.close()
    },
  }
}
